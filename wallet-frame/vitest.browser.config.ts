import { defineConfig } from 'vitest/config'

// The built frame in a real browser, under the policies of production: npm run test:browser -w wallet-frame
export default defineConfig({
  resolve: { conditions: ['latchkey-source'] },
  ssr: { resolve: { conditions: ['latchkey-source', 'node', 'import', 'default'] } },
  test: {
    include: ['**/*.browser.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    fileParallelism: false,
    retry: process.env.CI ? 2 : 0,
  },
})

import { defineConfig } from 'vitest/config'

// Tests of the built loader in browsers, across two sites: npm run test:browser -w loader
export default defineConfig({
  resolve: { conditions: ['latchkey-source'] },
  ssr: { resolve: { conditions: ['latchkey-source', 'node', 'import', 'default'] } },
  test: {
    include: ['**/*.browser.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The sites of all files have the same ports.
    fileParallelism: false,
  },
})

import { defineConfig } from 'vitest/config'

// The shell in a real browser, under the policy of its page: npm run test:browser -w dialog-app
export default defineConfig({
  resolve: { conditions: ['latchkey-source'] },
  ssr: { resolve: { conditions: ['latchkey-source', 'node', 'import', 'default'] } },
  test: {
    include: ['**/*.browser.test.ts'],
    globalSetup: ['shell/testing/shell-site.ts'],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    expect: { poll: { timeout: 20_000 } },
    retry: process.env.CI ? 2 : 0,
  },
})

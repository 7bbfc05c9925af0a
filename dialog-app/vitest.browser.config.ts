import { defineConfig } from 'vitest/config'

const resolve = { conditions: ['latchkey-source'] }
const ssr = { resolve: { conditions: ['latchkey-source', 'node', 'import', 'default'] } }
const waits = { testTimeout: 180_000, hookTimeout: 120_000, expect: { poll: { timeout: 20_000 } } }
const gateTests = ['shell/approval*.browser.test.ts']

// The shell in a real browser, under the policy of its page: npm run test:browser -w dialog-app
export default defineConfig({
  test: {
    globalSetup: ['shell/testing/shell-site.ts'],
    projects: [
      {
        resolve,
        ssr,
        test: {
          ...waits,
          name: 'approval gate',
          include: gateTests,
          // Its files wait most of the time.
          maxWorkers: 3,
          // First and alone: the gate needs visibility samples younger than 500 ms, which a busy compositor delays.
          sequence: { groupOrder: 1 },
        },
      },
      {
        resolve,
        ssr,
        test: {
          ...waits,
          name: 'shell',
          include: ['**/*.browser.test.ts'],
          exclude: [...gateTests, '**/node_modules/**'],
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})

import { defineConfig } from 'vitest/config'

// Unit and store tests run in Node on the sources; what needs a browser lives in e2e/ and runs under Playwright.
export default defineConfig({
  resolve: { conditions: ['latchkey-source'] },
  ssr: { resolve: { conditions: ['latchkey-source', 'node', 'default'] } },
  test: {
    // A deadline for what hangs: how fast something is decides no test.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // As in a browser: on CI a test may run a second time, and the summary says which did.
    retry: process.env.CI ? 1 : 0,
    expect: { poll: { timeout: 20_000 } },
    // One for each core of a machine with two: the default leaves a core to whoever types.
    maxWorkers: 2,
    include: ['{protocol,loader,dialog-app,wallet-frame,server,sandbox,demo,scripts}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.browser.test.ts'],
  },
})

import { defineConfig } from 'vitest/config'

const testsOf = (packages: string) => `${packages}/**/*.test.{ts,tsx}`

// Unit and store tests run in Node on the sources; what needs a browser lives in e2e/ and runs under Playwright.
export default defineConfig({
  resolve: { conditions: ['latchkey-source'] },
  ssr: { resolve: { conditions: ['latchkey-source', 'node', 'default'] } },
  test: {
    // A deadline for what hangs: how fast something is decides no test.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // One for each core of a machine with two: the default leaves a core to whoever types.
    maxWorkers: 2,
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.browser.test.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'dialog-app',
          include: [testsOf('dialog-app')],
          setupFiles: ['dialog-app/testing/all-loaded.ts'],
          // Most of its many small files took longer to load the dialog than to test it: they share what is loaded.
          isolate: false,
          // What a test puts into the place of a global is gone with the test.
          unstubGlobals: true,
        },
      },
      {
        extends: true,
        test: {
          name: 'the rest',
          include: [testsOf('{protocol,loader,wallet-frame,server,sandbox,demo,scripts}')],
        },
      },
    ],
  },
})

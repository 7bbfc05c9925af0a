import { defineConfig } from 'vitest/config'

// The built frame in a real browser, under the policies of production: npm run test:browser -w wallet-frame
export default defineConfig({
  resolve: { conditions: ['latchkey-source'] },
  // The environment of the global setup.
  environments: { __vitest__: { resolve: { conditions: ['latchkey-source', 'node', 'import', 'default'] } } },
  ssr: { resolve: { conditions: ['latchkey-source', 'node', 'import', 'default'] } },
  test: {
    include: ['**/*.browser.test.ts'],
    globalSetup: ['testing/browser/build-frame.ts'],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 2,
  },
})

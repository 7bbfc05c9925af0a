import { defineConfig } from 'vitest/config'

// What only a browser shows of the built loader, over two sites: npm run test:browser -w loader
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

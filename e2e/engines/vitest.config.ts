import { defineConfig } from 'vitest/config'

// Engines that Playwright does not drive here.
export default defineConfig({
  resolve: { conditions: ['latchkey-source'] },
  ssr: { resolve: { conditions: ['latchkey-source', 'node', 'default'] } },
  test: {
    include: ['**/*.test.ts'],
    root: import.meta.dirname,
    globalSetup: '../stack/https/set-up.ts',
    maxWorkers: 2,
    // All files of a worker share one stack and one Firefox.
    isolate: false,
  },
})

import { defineConfig } from 'vitest/config'

// Engines that Playwright does not drive here. Each file starts a stack and a browser, so no more than two at a time.
export default defineConfig({
  resolve: { conditions: ['latchkey-source'] },
  ssr: { resolve: { conditions: ['latchkey-source', 'node', 'default'] } },
  test: {
    include: ['**/*.test.ts'],
    root: import.meta.dirname,
    globalSetup: '../stack/https/set-up.ts',
    maxWorkers: 2,
    // As in Chromium: a machine that is busy may make one late, and the report says which was run again.
    retry: process.env.CI ? 2 : 0,
  },
})

import { defineConfig } from 'vitest/config'

// Tests of the files for operators that need other programs. `npm run test:deploy` gets them.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
})

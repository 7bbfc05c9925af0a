import { defineConfig } from 'vitest/config'
import everywhere from '../vitest.config.ts'

// How `npm test` runs the unit tests of the dialog. Its many small files took longer to load the dialog than to test
// it: here they share what is loaded.
export default defineConfig({
  ...everywhere,
  test: {
    ...everywhere.test,
    include: ['dialog-app/**/*.test.{ts,tsx}'],
    setupFiles: ['dialog-app/testing/all-loaded.ts'],
    isolate: false,
    // What a test puts into the place of a global is gone with the test.
    unstubGlobals: true,
  },
})

import { defineConfig } from 'vite'

export default defineConfig({
  resolve: { conditions: ['latchkey-source', 'module', 'browser', 'production'] },
  build: {
    target: 'es2022',
    // Images stay files, so that the page's policy need not allow data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  clearScreen: false,
  logLevel: 'warn',
})

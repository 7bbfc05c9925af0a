import { defineConfig } from 'vite'

export default defineConfig({
  resolve: { conditions: ['latchkey-source', 'module', 'browser', 'production'] },
  build: {
    target: 'es2022',
    // Pictures stay files, and nothing is added to the page that its policy would have to allow.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  clearScreen: false,
  logLevel: 'warn',
})

/// <reference types="vite/client" />
import { texts } from '@latchkey/protocol/texts/build'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chunks } from './build/chunks.config.ts'
import { openPage } from './build/open-page.config.ts'

// Two pages with the same core: dist/index.html loads the rest when it is idle, dist/open.html at once. The server
// fills in the configuration and connects to the wallet's origin ahead.
export default defineConfig({
  base: '/',
  plugins: [react(), texts('loaded'), openPage()],
  resolve: { conditions: ['latchkey-source', 'module', 'browser', 'development|production'] },
  build: {
    outDir: 'dist',
    target: 'es2022',
    manifest: true,
    // Its polyfill injects a script; and the core must not ask for the shell before it is wanted.
    modulePreload: false,
    // A policy without `data:` in `font-src` and `script-src` refuses what is inlined.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: ['index.html', 'open.html'],
      output: { entryFileNames: 'assets/[name]-[hash].js', codeSplitting: { groups: chunks } },
    },
  },
})

/// <reference types="vite/client" />
import { texts } from '@latchkey/protocol/texts/build'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chunks } from './build/chunks.config.ts'
import { openPage } from './build/open-page.config.ts'

// Two pages with the same core: dist/index.html loads the rest when it is idle, dist/open.html at once. The server
// inserts the configuration and a preconnect to the wallet origin.
export default defineConfig({
  base: '/',
  plugins: [react(), texts('dialog-app'), openPage()],
  resolve: { conditions: ['latchkey-source', 'module', 'browser', 'development|production'] },
  build: {
    outDir: 'dist',
    target: 'es2022',
    manifest: true,
    // A script and the scripts that it imports load at once. The core must not load the shell early, and its budget has
    // no room for their names. The polyfill injects a script.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_url, scripts, { hostId, hostType }) =>
        hostType === 'html' || hostId.includes('/core-') ? [] : scripts,
    },
    // The Content-Security-Policy has no `data:` in `font-src` and `script-src`, so it blocks inlined assets.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: ['index.html', 'open.html'],
      output: { entryFileNames: 'assets/[name]-[hash].js', codeSplitting: { groups: chunks } },
    },
  },
})

import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// The page is dist/index.html with dist/assets/<hash>.js; the server fills in the configuration. The manifest
// says which scripts are there at first (the core) and which come with the face.
export default defineConfig({
  base: '/',
  plugins: [react()],
  resolve: {
    conditions: ['latchkey-source', 'module', 'browser', 'development|production'],
  },
  build: {
    outDir: 'dist',
    target: 'es2022',
    manifest: true,
    // Its polyfill injects a script; and the core must not ask for the face before it is wanted.
    modulePreload: false,
    // A policy without `data:` in `font-src` and `script-src` refuses what is inlined.
    assetsInlineLimit: 0,
    rolldownOptions: { output: { entryFileNames: 'assets/[name]-[hash].js' } },
  },
})

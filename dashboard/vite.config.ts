/// <reference types="vite/client" />
import { texts } from '@latchkey/protocol/texts/build'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// The page loads each screen in a chunk of its own. The server sends it under a policy without inline scripts and styles.
export default defineConfig({
  base: '/',
  plugins: [react(), texts('dashboard')],
  resolve: { conditions: ['latchkey-source', 'module', 'browser', 'development|production'] },
  build: {
    outDir: 'dist',
    target: 'es2023',
    // `.size-limit.mjs` reads which scripts a screen loads.
    manifest: true,
    modulePreload: false,
    // The policy has no `data:`, so it blocks inlined assets.
    assetsInlineLimit: 0,
    rolldownOptions: { output: { entryFileNames: 'assets/[name]-[hash].js' } },
  },
})

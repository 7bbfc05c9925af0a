import { defineConfig } from 'vite'

// The page is dist/index.html with dist/assets/<hash>.js. The vault is one file beside it, under its own policy.
export default defineConfig({
  base: '/',
  resolve: { conditions: ['latchkey-source', 'module', 'browser', 'development|production'] },
  build: {
    outDir: 'dist',
    target: 'es2023',
    modulePreload: false,
    assetsInlineLimit: 0,
    sourcemap: false,
    rolldownOptions: {
      output: { entryFileNames: 'assets/[name]-[hash].js', chunkFileNames: 'assets/[name]-[hash].js' },
    },
  },
  worker: {
    format: 'iife',
    rolldownOptions: { output: { entryFileNames: 'vault-[hash].js' } },
  },
})

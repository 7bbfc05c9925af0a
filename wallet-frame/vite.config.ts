import { defineConfig } from 'vite'

// The page is dist/index.html with dist/assets/<hash>.js. The vault is one file beside it, under its own policy.
export default defineConfig(({ command }) => ({
  base: '/',
  // The built vault is one classic file; the development server serves modules.
  define: { VAULT_WORKER_TYPE: JSON.stringify(command === 'build' ? 'classic' : 'module') },
  resolve: { conditions: ['latchkey-source', 'module', 'browser', 'development|production'] },
  build: {
    outDir: 'dist',
    target: 'es2023',
    modulePreload: false,
    assetsInlineLimit: 0,
    rolldownOptions: { output: { entryFileNames: 'assets/[name]-[hash].js' } },
  },
  worker: {
    format: 'iife',
    rolldownOptions: { output: { entryFileNames: 'vault-[hash].js' } },
  },
}))

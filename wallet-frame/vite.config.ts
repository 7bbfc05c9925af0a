import { defineConfig, type Plugin } from 'vite'

/** The page has no styles, and what it loads later imports what is there by then: nothing is fetched ahead of it. */
const importsAsTheyAre: Plugin = {
  name: 'imports-as-they-are',
  enforce: 'pre',
  load: (id) =>
    id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load()' : undefined,
}

// The page is dist/index.html with dist/assets/<hash>.js. The vault is one file beside it, under its own policy.
export default defineConfig(({ command }) => ({
  base: '/',
  plugins: [importsAsTheyAre],
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

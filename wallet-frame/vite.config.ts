import { texts } from '@latchkey/protocol/texts/build'
import { defineConfig, type UserConfig } from 'vite'

/** Shared settings. A build's vault is one file next to its page, with its own content security policy. */
export const frameConfig = (command: 'build' | 'serve', vaultName: string): UserConfig => ({
  base: '/',
  plugins: [texts('wallet-frame')],
  // The built vault is one classic file; the development server serves modules.
  define: { VAULT_WORKER_TYPE: JSON.stringify(command === 'build' ? 'classic' : 'module') },
  resolve: { conditions: ['latchkey-source', 'module', 'browser', 'development|production'] },
  worker: {
    format: 'iife',
    rolldownOptions: { output: { entryFileNames: `${vaultName}-[hash].js` } },
  },
})
export const buildOptions = {
  outDir: 'dist',
  target: 'es2023',
  modulePreload: false,
  assetsInlineLimit: 0,
} as const

// The page is dist/index.html with dist/assets/<hash>.js.
export default defineConfig(({ command }) => ({
  ...frameConfig(command, 'vault'),
  build: { ...buildOptions, rolldownOptions: { output: { entryFileNames: 'assets/[name]-[hash].js' } } },
}))

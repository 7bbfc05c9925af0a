import { join } from 'node:path'
import { defineConfig } from 'vite'
import { builtAs, frameConfig } from './vite.config.ts'

// A page that stands beside the frame, by `--mode`. It shares no file with it or with another one: what it loads is
// its own, but for the vault of the page that signs where no frame is, which is the frame's to the byte. Written into the
// same folder.
export default defineConfig(({ command, mode: page }) => ({
  ...frameConfig(command, page === 'cross-app' ? 'vault' : `${page}-vault`),
  build: {
    ...builtAs,
    emptyOutDir: false,
    rolldownOptions: {
      input: { [page]: join(import.meta.dirname, `${page}/index.html`) },
      output: {
        entryFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
}))

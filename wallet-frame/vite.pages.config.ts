import { join } from 'node:path'
import { defineConfig } from 'vite'
import { buildOptions, frameConfig } from './vite.config.ts'

// Builds one page, chosen by `--mode`, into the same folder. It shares no file with the frame or another
// page, except that the cross-app page uses the frame's vault, byte for byte.
export default defineConfig(({ command, mode: page }) => ({
  ...frameConfig(command, page === 'cross-app' ? 'vault' : `${page}-vault`),
  build: {
    ...buildOptions,
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

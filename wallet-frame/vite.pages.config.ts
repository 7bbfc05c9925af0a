import { join } from 'node:path'
import { defineConfig } from 'vite'
import { builtAs, frameConfig } from './vite.config.ts'

// Pages that stand beside the frame, and share no file with it: what they load is theirs. Written into the same folder.
export default defineConfig(({ command }) => ({
  ...frameConfig(command, 'export-vault'),
  build: {
    ...builtAs,
    emptyOutDir: false,
    rolldownOptions: {
      input: { export: join(import.meta.dirname, 'export/index.html') },
      output: {
        entryFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
}))

/// <reference types="vite/client" />
import { defineConfig } from 'vite'
import dialog from './vite.config.ts'

/** The page of a confirmation, beside the dialog's own pages and after them. */
export default defineConfig({
  ...dialog,
  build: {
    ...dialog.build,
    emptyOutDir: false,
    manifest: false,
    rolldownOptions: { input: ['confirm.html'] },
  },
})

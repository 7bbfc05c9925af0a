/// <reference types="vite/client" />
import { defineConfig } from 'vite'
import dialog from './vite.config.ts'

/** The pages that stand alone at the top of a tab, beside the dialog's own and after them. */
export default defineConfig({
  ...dialog,
  build: {
    ...dialog.build,
    emptyOutDir: false,
    manifest: false,
    rolldownOptions: { input: ['passkey.html'] },
  },
})

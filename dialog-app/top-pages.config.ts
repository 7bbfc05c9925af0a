/// <reference types="vite/client" />
import { defineConfig } from 'vite'
import dialog from './vite.config.ts'

/** The standalone top-level pages besides the dialog's own. They are built after the dialog. */
export default defineConfig({
  ...dialog,
  build: {
    ...dialog.build,
    emptyOutDir: false,
    manifest: false,
    rolldownOptions: { input: ['passkey.html'] },
  },
})

import { defineConfig } from 'vite'
import gallery from '../../gallery/vite.config.ts'

/** Built as the gallery is, under the same policy; in one file, since every test loads all of it anew. */
export default defineConfig({
  ...gallery,
  root: import.meta.dirname,
  base: '/',
  build: { ...gallery.build, cssCodeSplit: false, rolldownOptions: { output: { codeSplitting: false } } },
})

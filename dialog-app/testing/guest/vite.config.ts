import { defineConfig } from 'vite'
import gallery from '../../gallery/vite.config.ts'

/** Built as the gallery is, under the same policy. */
export default defineConfig({ ...gallery, root: import.meta.dirname, base: '/' })

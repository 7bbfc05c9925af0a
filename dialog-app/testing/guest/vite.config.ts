import { defineConfig } from 'vite'
import gallery from '../../gallery/vite.config.ts'

/** Built like the gallery, under the same policy. */
export default defineConfig({ ...gallery, root: import.meta.dirname, base: '/' })

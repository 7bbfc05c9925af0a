/**
 * `npm run build -w wallet-frame`: builds the frame, and the pages that share no file with it or with each
 * other.
 */
import { join } from 'node:path'
import { build } from 'vite'

const root = join(import.meta.dirname, '..')
const pages = ['export', 'import', 'confirm', 'cross-app', 'recovery-window', 'open-window']

// Must run first, because it empties the folder.
await build({ root, configFile: join(root, 'vite.config.ts') })
await Promise.all(pages.map((mode) => build({ root, configFile: join(root, 'vite.pages.config.ts'), mode })))

/**
 * Bundles the command into one file (`npm run build -w sdk/migrate [-- <folder>]`), so that `npx` installs no
 * parser. It is skipped in installs without development packages.
 */
import { join } from 'node:path'
import { build } from 'vite'

const [outDir = 'dist'] = process.argv.slice(2)

await build({
  root: join(import.meta.dirname, '..'),
  configFile: false,
  logLevel: 'warn',
  ssr: { noExternal: true },
  build: {
    ssr: 'command-line/bin.ts',
    outDir,
    emptyOutDir: true,
    target: 'node22',
    license: { fileName: 'licenses.md' },
    rolldownOptions: { output: { entryFileNames: 'command-line/bin.js', codeSplitting: false } },
  },
})

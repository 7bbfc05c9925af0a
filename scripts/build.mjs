// node scripts/build.mjs [--stale] [--served | folder …]: builds the packages: all, the named ones, or those that a server
// serves. The last needs no packages for development.
import { answerHelp, setUp } from './setup.mjs'

answerHelp(`Usage: npm run build [-- --stale] [-- --served | <folder>…]

Builds every package, or the named ones.

  --served   builds only the pages that a server serves, without packages for development
  --stale    builds only packages whose sources are newer than their build`)
await setUp({ work: !process.argv.includes('--served') })
await import('./builds/main.ts')

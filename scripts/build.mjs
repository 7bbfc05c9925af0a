// node scripts/build.mjs [--stale] [--served | folder …]: builds the packages: all, the named ones, or those that a server
// serves. The last needs no packages for development.
import { setUp } from './setup.mjs'

await setUp({ work: !process.argv.includes('--served') })
await import('./builds/main.ts')

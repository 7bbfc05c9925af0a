// node scripts/build.mjs [--stale] [folder …]: builds the packages, all or those that are named.
import { setUp } from './setup.mjs'

await setUp()
await import('./builds/main.ts')

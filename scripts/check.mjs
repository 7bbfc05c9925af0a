// node scripts/check.mjs: the checks that read the repository and run none of it.
import { setUp } from './setup.mjs'

await setUp()
await import('./checks/main.ts')

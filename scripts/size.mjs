// npm run size: the sizes of a built tree against their limits in .size-limit.mjs.
import { setUp } from './setup.mjs'

await setUp()
await import('./sizes/main.ts')

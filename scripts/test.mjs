// npm test [-- check | unit | e2e | engines | quick]: everything, quick checks first, and the true total at the end.
import { setUp } from './setup.mjs'

await setUp()
await import('./test-run/main.ts')

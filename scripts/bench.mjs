// npm run bench [-- browser | wallet | server | idle | scale | peers | pooler | walks]: bytes, waits, throughput and memory.
import { setUp } from './setup.mjs'

await setUp()
await import('./sizes/bench.ts')

// npm run bench [-- browser | wallet | server | idle | walks]: measures bytes, waits, throughput and memory.
import { setUp } from './setup.mjs'

await setUp()
await import('./sizes/bench.ts')

// npm start: the whole product on this machine, in one terminal, with no account anywhere.
import { setUp } from './setup.mjs'

await setUp({ work: false })
await import('./local/start.ts')

// npm run serve: the product for its users, as an operator hosts it.
import { setUp } from './setup.mjs'

await setUp({ work: false })
await import('./local/serve.ts')

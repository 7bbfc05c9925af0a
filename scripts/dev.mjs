// npm run dev: as npm start, and the product follows its sources.
import { setUp } from './setup.mjs'

await setUp()
await import('./local/dev.ts')

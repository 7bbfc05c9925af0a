// npm run test:serializable: the store tests on serializable transactions that are undone at random.
import { setUp } from './setup.mjs'

await setUp()
await import('./test-run/serializable.ts')

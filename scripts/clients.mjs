// npm run test:clients [-- words]: the libraries that apps use, each on a page with Latchkey, in Chromium.
import { setUp } from './setup.mjs'

await setUp()
await import('./test-run/clients.ts')

// npm run soak: disturbs servers under load. `--help` prints its options.
import { setUp } from './setup.mjs'

await setUp()
await import('./test-run/soak.ts')

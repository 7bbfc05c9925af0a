// npm run mutants [-- path …]: breaks the code in many small ways and asks the tests whether they notice.
import { setUp } from './setup.mjs'

await setUp()
await import('./mutants/main.ts')

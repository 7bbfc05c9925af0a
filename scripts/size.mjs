// npm run size: what each entry weighs, from a built tree, against its line in budgets.json.

import { setUp } from './setup.mjs'

await setUp()
const { size } = await import('./budgets.ts')
process.exit((await size()).failed === 0 ? 0 : 1)

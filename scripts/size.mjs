// npm run size: what each entry weighs, from a built tree, against its line in sizes/budgets.json.
import { setUp } from './setup.mjs'

await setUp()
await import('./sizes/main.ts')

// npm run app, users, keys, migrate, copy, backup, restore and snippet: an operator's tool, on a Node that can run it.
import { requireNode } from './setup.mjs'

requireNode()
await import('./local/operator.ts')

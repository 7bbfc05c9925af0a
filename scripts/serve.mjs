// npm run serve: the product for its users, as an operator hosts it.
import { answerHelp, setUp } from './setup.mjs'

answerHelp(`Usage: npm run serve

Hosts Latchkey for your users: builds the pages where they are stale, then becomes the server. The environment says
where: docs/operating.md lists every variable.`)
await setUp({ work: false })
await import('./local/serve.ts')

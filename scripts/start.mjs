// npm start: the whole product on this machine, in one terminal, with no account anywhere.

import { endWithWords, say, setUp } from './setup.mjs'

await setUp()
const { build } = await import('./build.mjs')
const { runLocalProduct } = await import('./local.mjs')
const { localPorts, refuseTakenPorts } = await import('./ports.ts')
await refuseTakenPorts(localPorts())
const { ok } = await build({ staleOnly: true })
if (!ok) endWithWords('The build failed, so nothing was started.')
await runLocalProduct({ onRunning: () => say('Press Ctrl-C to stop everything.') })

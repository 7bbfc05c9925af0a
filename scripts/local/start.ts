// npm start: the whole product on this machine, in one terminal, with no account anywhere.

import { build } from '../builds/build.ts'
import { endWithWords, say } from '../setup.mjs'
import { localPackages, runLocalProduct } from './local.ts'
import { localPorts, refuseTakenPorts } from './ports.ts'

await refuseTakenPorts(localPorts())
const { ok } = await build({ only: localPackages, staleOnly: true, isServed: true })
if (!ok) endWithWords('The build failed, so nothing was started.')
await runLocalProduct({ onRunning: () => say('Press Ctrl-C to stop everything.') })

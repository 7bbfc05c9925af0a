// npm start: the whole product on this machine, in one terminal, with no account anywhere.
import { answerHelp, setUp } from './setup.mjs'

answerHelp(`Usage: npm start

Runs the whole product on this machine: server, demo and a sandbox for every third party. LATCHKEY_PORT_BASE changes
the ports.`)
await setUp({ work: false })
await import('./local/start.ts')

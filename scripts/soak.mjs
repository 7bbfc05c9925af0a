// npm run soak -- --kills 100 [--engine sqlite|postgres|both]
// npm run soak -- --processes 3 [--minutes 3]
import { spawn } from 'node:child_process'
import { setUp } from './setup.mjs'

await setUp()
// A server without its pages is not ready, and a balancer sends nobody there.
const { build } = await import('./build.mjs')
const { ok } = await build({ staleOnly: true })
if (!ok) process.exit(1)
const soak = spawn(
  process.execPath,
  ['--conditions=latchkey-source', 'e2e/soak/main.ts', ...process.argv.slice(2)],
  {
    stdio: 'inherit',
  },
)
soak.once('close', (code) => process.exit(code ?? 1))

// npm run soak -- --kills 100 [--engine sqlite|postgres|both]
import { spawn } from 'node:child_process'
import { setUp } from './setup.mjs'

await setUp()
const soak = spawn(
  process.execPath,
  ['--conditions=latchkey-source', 'e2e/soak/main.ts', ...process.argv.slice(2)],
  {
    stdio: 'inherit',
  },
)
soak.once('close', (code) => process.exit(code ?? 1))

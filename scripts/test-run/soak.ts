// npm run soak: disturbs servers under load. Options: --help.

import { spawn } from 'node:child_process'
import { build } from '../builds/build.ts'
import { say } from '../setup.mjs'

const usage = `npm run soak -- --kills 100 [--engine sqlite|postgres|both] [--users 8] [--port 4600]
npm run soak -- --processes 3 [--minutes 3] [--pooler]
npm run soak -- --upgrade [--minutes 3] [--processes 3] [--pooler]
npm run soak -- --failover [--failovers 3] [--processes 3]

Disturbs servers under load and checks that everything they acknowledged is still there afterwards.

  --kills       one process, killed at random moments
  --processes   several on one PostgreSQL, behind a balancer: kills, restarts, rotations, stops of the database
  --upgrade     the last release and this one on one database, forwards and back, one process after the other
  --failover    the primary of PostgreSQL dies, and its synchronous standby takes over by Patroni
  --pooler      PgBouncer in transaction mode stands before PostgreSQL`

if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
  say(usage)
  process.exit(0)
}

// A server without its pages is not ready, so the balancer would not use it.
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

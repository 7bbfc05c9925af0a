// npm run bench [-- browser | wallet | server | idle]: bytes, waits near and far and on a slow processor, the host's own
// thread, what a wallet takes, throughput and memory, from one run. By name alone: `scale --users 10000000`, `peers` (the
// server beside better-auth), `pooler` (PgBouncer before PostgreSQL) and `walks` (each way to log in at the speed of a
// person, with pictures in .cache/walks). It decides nothing.
import { spawn } from 'node:child_process'
import { build } from '../builds/build.ts'
import { ensureBrowser } from '../local/browsers.ts'

await ensureBrowser()
const { ok } = await build({ staleOnly: true })
if (!ok) process.exit(1)

const node = (...args: readonly string[]) =>
  new Promise<number>((resolve) => {
    spawn(process.execPath, args, { stdio: 'inherit' }).once('close', (code) => resolve(code ?? 1))
  })
if (!process.argv.includes('walks')) {
  console.log('Bytes')
  await node('scripts/sizes/main.ts')
}
process.exit(await node('--conditions=latchkey-source', 'e2e/bench/main.ts', ...process.argv.slice(2)))

// npm run bench [-- browser | wallet | server | idle]: measures sizes, waiting times near, far and on a slow
// CPU, the host's main thread, wallet operations, throughput and memory in one run. Only by name: `scale
// --users 10000000`, `peers` (the server beside better-auth), `pooler` (PgBouncer before PostgreSQL) and
// `walks` (each login at human speed, with screenshots in .cache/walks). It never fails on a number.
import { spawn } from 'node:child_process'
import { build } from '../builds/build.ts'
import { ensureBrowser } from '../local/browsers.ts'

await ensureBrowser()
const { ok } = await build({ staleOnly: true })
if (!ok) process.exit(1)

const node = (...args: string[]) =>
  new Promise<number>((resolve) => {
    spawn(process.execPath, args, { stdio: 'inherit' }).once('close', (code) => resolve(code ?? 1))
  })
if (!process.argv.includes('walks')) {
  console.log('Bytes')
  await node('scripts/sizes/main.ts')
}
process.exit(await node('--conditions=latchkey-source', 'e2e/bench/main.ts', ...process.argv.slice(2)))

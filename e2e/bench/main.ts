/**
 * `npm run bench [-- browser | wallet | server | idle]`: measures sizes, waiting times near, far and on a slow CPU, the
 * host's main thread, wallet operations, throughput and memory, with their references in one run. Never fails on a
 * number.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { build } from '../../scripts/builds/build.ts'
import { ensureBrowsers } from '../../scripts/local/browsers.ts'
import { localPorts } from '../../scripts/local/ports.ts'
import { startPostgres } from '../../scripts/local/postgres.ts'
import { size } from '../../scripts/sizes/budgets.ts'
import { startStack } from '../stack/stack.ts'
import { measureImport, measureLists } from './admin-api.ts'
import { measureBrowser, measureWallets } from './browser.ts'
import { measurePeers } from './peers.ts'
import { measurePooler } from './pooler.ts'
import { measureScale } from './scale.ts'
import { measureIdle, measureServer } from './server.ts'
import { recordWalks } from './walks.ts'

/** Ports next to those of the local product and the browser tests. They move together. */
const FIRST_PORT = localPorts().server + 700
const SETTLE_MS = 3_000

const { positionals: parts, values } = parseArgs({
  allowPositionals: true,
  options: { users: { type: 'string' } },
})
/** Parts that run only by name and alone, because they take minutes. */
const alone: Readonly<Record<string, () => Promise<void>>> = {
  scale: async () => {
    await measureScale(FIRST_PORT + 100, Number(values.users ?? 10_000_000))
    await measureLists(Number(values.users ?? 10_000_000))
  },
  lists: () => measureLists(Number(values.users ?? 10_000_000)),
  import: () => measureImport(Number(values.users ?? 100_000)),
  peers: () => measurePeers(FIRST_PORT + 100),
  pooler: () => measurePooler(FIRST_PORT + 100),
  walks: () => recordWalks(FIRST_PORT),
}

await ensureBrowsers()
const { ok } = await build({ staleOnly: true })
if (!ok) process.exit(1)
if (!parts.includes('walks')) {
  console.log('Bytes')
  await size()
}

for (const part of parts) {
  const measure = alone[part]
  if (!measure) continue
  await measure()
  process.exit(0)
}
const isSelected = (part: string) => parts.length === 0 || parts.includes(part)

if (isSelected('idle')) await measureIdle(FIRST_PORT + 100)
if (['browser', 'wallet', 'server'].some(isSelected)) {
  const embedded = await startStack(FIRST_PORT, { logLevel: 'info', scheme: 'http' })
  try {
    await sleep(SETTLE_MS)
    if (isSelected('browser')) await measureBrowser(embedded, FIRST_PORT + 40)
    if (isSelected('wallet')) await measureWallets(embedded, FIRST_PORT + 45)
    if (isSelected('server')) await measureServer(embedded, 'SQLite')
  } finally {
    await embedded.stop()
  }
}
if (isSelected('server')) {
  const postgres = await startPostgres()
  try {
    const stack = await startStack(FIRST_PORT + 50, {
      databaseUrl: postgres.url,
      logLevel: 'info',
      demo: false,
      scheme: 'http',
    })
    try {
      await measureServer(stack, 'PostgreSQL')
    } finally {
      await stack.stop()
    }
  } finally {
    await postgres.stop()
  }
}

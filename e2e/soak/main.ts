/**
 * Disturbs servers under load, repeatedly, and checks that everything they acknowledged still exists afterwards.
 * `npm run soak -- --help` lists the disturbances.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { build } from '../../scripts/builds/build.ts'
import type { Postgres } from '../../scripts/local/postgres.ts'
import { openConnections } from '../client/http.ts'
import { logInElsewhere, type Place, putMessage, releaseShares, signApproved } from '../client/user.ts'
import { readDatabase } from '../stack/database.ts'
import { createDisturbances, type Disturbance, killAgainAndAgain } from './disturbances.ts'
import { type Fleet, startFleet } from './fleet.ts'
import type { Release } from './last-release.ts'
import { checkAccounts, checkRows, createLedger, type Ledger } from './ledger.ts'
import type { Cluster } from './patroni.ts'
import { live } from './visitor.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    processes: { type: 'string' },
    minutes: { type: 'string', default: '3' },
    users: { type: 'string', default: '8' },
    engine: { type: 'string', default: 'both' },
    port: { type: 'string', default: '4600' },
    upgrade: { type: 'boolean', default: false },
    from: { type: 'string' },
    failover: { type: 'boolean', default: false },
    pooler: { type: 'boolean', default: false },
    failovers: { type: 'string', default: '3' },
  },
})
const manyProcesses = values.upgrade || values.failover
const processes = Number(values.processes ?? (manyProcesses ? 3 : 1))

type Disturb = (fleet: Fleet, ledger: Ledger) => AsyncGenerator<string>

/** Longer than a restart of the database takes. */
const patienceMs = 30_000
/**
 * Calls of a killed process pass to another one after twenty seconds, but here the next kill comes earlier.
 */
const patienceUnderKillsMs = 3_000

/** The part of a database that a soak test needs. */
type SoakedDatabase = Pick<Postgres, 'url' | 'rowsOf'>
type SoakOptions = {
  database?: SoakedDatabase
  environment?: Readonly<Record<string, string>>
  /** The folder of the release with which the servers start. */
  release?: string
  /** During a deploy the only allowed failure is a 503 with `retry-after`. */
  isGentle?: boolean
}

async function soak(name: string, disturb: Disturb, options: SoakOptions = {}): Promise<readonly string[]> {
  const { database, environment = {}, release } = options
  const pooler =
    values.pooler && database ? await (await import('./pooler.ts')).startPooler(database.url) : undefined
  const fleet = await startFleet({
    port: Number(values.port),
    size: processes,
    databaseUrl: pooler?.url ?? database?.url,
    environment: { ...environment, ...(pooler && { DATABASE_POOLER: 'transaction' }) },
    release,
  })
  try {
    return await soakFleet(fleet, pooler ? `${name} behind ${pooler.version}` : name, disturb, options)
  } finally {
    await fleet.stop()
    await pooler?.stop()
  }
}

async function soakFleet(
  fleet: Fleet,
  name: string,
  disturb: Disturb,
  { database, isGentle = false }: SoakOptions,
): Promise<readonly string[]> {
  const ledger = createLedger()
  const patience = processes > 1 ? patienceMs : patienceUnderKillsMs
  const connections = openConnections(fleet.port, Number(values.users) * guessesAtOnce)
  const place: Place = { ...fleet, connections, patienceMs }
  let isOver = false
  const startedAt = Date.now()
  const visitors = Array.from({ length: Number(values.users) }, () =>
    live({ place: { ...place, patienceMs: patience }, ledger }, () => isOver),
  )
  let disturbed = 0
  const kinds = new Map<string, number>()
  const cuts = new Map<string, number>()
  let cut = 0
  for await (const what of disturb(fleet, ledger)) {
    disturbed += 1
    kinds.set(what, (kinds.get(what) ?? 0) + 1)
    cuts.set(what, (cuts.get(what) ?? 0) + fleet.balancer.cut() - cut)
    cut = fleet.balancer.cut()
    if (disturbed % 10 === 0)
      console.log(`  ${name}: ${formatCounts(kinds)}; ${formatCounts(Object.entries(ledger.counts()))}`)
  }
  isOver = true
  await Promise.all(visitors)

  console.log(`  ${name}: checking ${ledger.accounts.length} acknowledged logins`)
  await checkAccounts(ledger, place)
  await checkRows(ledger, database ? database.rowsOf : (sql) => readDatabase(fleet.databaseFile, sql))
  const drilled = await restoreElsewhere(fleet, ledger, place)
  const ended = fleet.endedByThemselves()
  if (ended > 0) ledger.lose(`${ended} processes stopped by themselves`)
  const failures = [...fleet.balancer.failures()]
  if (isGentle) {
    for (const [status, count] of failures)
      if (status !== '503') ledger.lose(`${count} calls failed with ${status}`)
    if (fleet.balancer.cut() > 0) ledger.lose(`${fleet.balancer.cut()} calls were cut`)
  }
  connections.close()
  const seconds = Math.round((Date.now() - startedAt) / 1_000)
  console.log(
    `${name}: ${formatCounts(kinds)} in ${seconds} s; ${formatCounts(Object.entries(ledger.counts()))}; ` +
      `calls cut under the balancer: ${formatCounts(cuts)}; failed: ${formatCounts(failures) || 'none'}; restored elsewhere: ${drilled}; lost = ${ledger.losses.length}`,
  )
  return ledger.losses
}

const guessesAtOnce = 16
const formatCounts = (counts: Iterable<readonly [string, unknown]>) =>
  [...counts].map(([what, count]) => `${what} ${count}`).join(', ')

async function withPostgres(work: (postgres: Postgres) => Promise<readonly string[]>) {
  const { startPostgres } = await import('../../scripts/local/postgres.ts')
  const postgres = await startPostgres()
  try {
    return await work(postgres)
  } finally {
    await postgres.stop()
  }
}

const kill: Disturb = (fleet, ledger) => killAgainAndAgain(fleet, ledger, Number(values.kills))

async function* allKinds(fleet: Fleet, ledger: Ledger, postgres: Postgres): AsyncGenerator<string> {
  const endAt = Date.now() + Number(values.minutes) * 60_000
  const kinds: readonly Disturbance[] = createDisturbances(fleet, postgres)
  for (let at = 0; Date.now() < endAt; at += 1) {
    // Pause, so that repeated calls must look as if they were sent once.
    await sleep(1_500 + Math.random() * 1_500)
    const next = kinds[at % kinds.length]
    if (!next) throw new Error('No disturbances are defined')
    ledger.disturb()
    await next.run()
    ledger.disturb()
    yield next.name
  }
}

/**
 * Upgrades like an operator: migrates first, then restarts one process after the other, and the same back.
 */
async function* forwardsAndBack(fleet: Fleet, ledger: Ledger, last: Release): AsyncGenerator<string> {
  const calm = () => sleep((Number(values.minutes) * 60_000) / 8)
  const roll = async (folder?: string) => {
    for (let at = 0; at < fleet.size; at += 1) {
      ledger.disturb()
      await fleet.drain(at)
      await fleet.start(at, folder)
      ledger.disturb()
      // Both releases run for a while.
      await sleep(2_000)
    }
  }
  await calm()
  await fleet.migrate()
  yield 'migrated beside the last release'
  await calm()
  for (let round = 0; round < 2; round += 1) {
    await roll()
    yield 'forwards'
    await calm()
    await roll(last.folder)
    yield `back to ${last.name}`
    await calm()
  }
  await roll()
  yield 'forwards'
  await calm()
}

/** Kills the machine of the primary, which comes back as the standby of the other. */
async function* failingOver(fleet: Fleet, ledger: Ledger, cluster: Cluster): AsyncGenerator<string> {
  const healthyAgain = async () => {
    const startedAt = performance.now()
    let last = 'nothing'
    while (performance.now() - startedAt < 60_000) {
      const answer = await fetch(`${fleet.dialogOrigin}/readyz`.replace('dialog.localhost', '127.0.0.1'), {
        signal: AbortSignal.timeout(2_000),
      }).catch(() => undefined)
      if (answer?.status === 200) return
      if (answer) last = await answer.text()
      await sleep(100)
    }
    console.log(`  not healthy: ${last}`)
  }
  for (let failover = 0; failover < Number(values.failovers); failover += 1) {
    await sleep(8_000)
    ledger.disturb()
    const startedAt = performance.now()
    const promotedMs = await cluster.killPrimary()
    await healthyAgain()
    const healthyMs = performance.now() - startedAt
    ledger.disturb()
    console.log(
      `  failover ${failover + 1}: another primary after ${seconds(promotedMs)}, healthy after ${seconds(healthyMs)}`,
    )
    if (healthyMs > 30_000) ledger.lose(`a failover took ${seconds(healthyMs)}`)
    yield 'failover'
    await sleep(5_000)
    await cluster.bringBack()
  }
}
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`

async function losses(): Promise<readonly string[]> {
  if (values.upgrade) {
    const { lastRelease } = await import('./last-release.ts')
    const last = await lastRelease(values.from)
    return withPostgres((database) =>
      soak(`${last.name} and this release`, (fleet, ledger) => forwardsAndBack(fleet, ledger, last), {
        database,
        release: last.folder,
        isGentle: true,
      }),
    )
  }
  if (values.failover) {
    const { startCluster, patroniTimes } = await import('./patroni.ts')
    const cluster = await startCluster()
    const { ttl, loop_wait: loop } = patroniTimes
    try {
      return await soak(
        `failover by Patroni (ttl ${ttl} s, loop ${loop} s)`,
        (fleet, ledger) => failingOver(fleet, ledger, cluster),
        { database: cluster },
      )
    } finally {
      await cluster.stop()
    }
  }
  if (processes > 1) {
    return withPostgres((database) =>
      soak(`${processes} processes`, (fleet, ledger) => allKinds(fleet, ledger, database), { database }),
    )
  }
  const lost: string[] = []
  if (values.engine !== 'postgres') lost.push(...(await soak('sqlite', kill)))
  if (values.engine !== 'sqlite') {
    lost.push(...(await withPostgres((database) => soak('postgres', kill, { database }))))
  }
  return lost
}

// A server without its pages is not ready, so the balancer would not use it.
const { ok } = await build({ staleOnly: true })
if (!ok) process.exit(1)
const lost = await losses()
for (const loss of lost.slice(0, 20)) console.error(`LOST ${loss}`)
console.log(lost.length === 0 ? 'Nothing that was acknowledged was lost.' : `${lost.length} losses`)
process.exit(lost.length === 0 ? 0 : 1)

/**
 * Simulates the loss of everything except a backup and the key file. Restores both in another folder and
 * database, starts a server, and lets a user log in and sign.
 */

async function restoreElsewhere(fleet: Fleet, { accounts, lose }: Ledger, place: Place): Promise<string> {
  const account = accounts.findLast(({ address }) => address !== undefined)
  if (account?.address === undefined) return 'no user had a wallet'
  const { address, user } = account
  const restored = await fleet.restoreElsewhere()
  const connections = openConnections(restored.port, 1)
  try {
    const restored: Place = { ...place, connections }
    const elsewhere = await logInElsewhere(restored, user.email)
    if (elsewhere.userId !== user.userId) lose(`${user.email} is somebody else in the restored database`)
    await releaseShares(restored, elsewhere, address)
    await signApproved(
      restored,
      elsewhere,
      address,
      await putMessage(restored, elsewhere, address, 'Still here'),
    )
    return 'a user logged in and signed'
  } catch (error) {
    lose(`the restored database: ${error instanceof Error ? error.message : error}`)
    return 'lost'
  } finally {
    connections.close()
    await restored.stop()
  }
}

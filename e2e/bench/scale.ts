/**
 * Measures login, refresh and signature on PostgreSQL: CPU time of server and database, statements, rows, WAL
 * bytes and lock waits. Compares one process with two, and empty tables with full ones.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Postgres, startPostgres } from '../../scripts/local/postgres.ts'
import { openConnections } from '../client/http.ts'
import { createWallet, logIn, type Place, putMessage, signApproved } from '../client/user.ts'
import { startBalancer } from '../soak/balancer.ts'
import { type Fleet, startFleet } from '../soak/fleet.ts'
import { appId } from '../stack/stack.ts'
import { CONNECTIONS, cpuMs, createUsers, fleetCpuMs, load } from './server.ts'
import { heading } from './statistics.ts'
import { inTurns, ratio } from './turns.ts'

const counts = { login: 600, refresh: 3_000, signature: 600 } as const
type Operation = keyof typeof counts
/** The port offset of a balancer with only the first process. */
const FIRST_ALONE = 30
type Cost = {
  perSecond: number
  serverMs: number
  databaseMs: number
  statements: number
  rows: number
  logBytes: number
  /** The time spent waiting for locks. */
  lockMs: number
}
type Costs = Readonly<Record<Operation, Cost>>

export async function measureScale(firstPort: number, users: number): Promise<void> {
  const postgres = await startPostgres({
    flags: [
      '-c',
      'shared_preload_libraries=pg_stat_statements',
      '-c',
      'track_io_timing=on',
      '-c',
      'max_wal_size=8GB',
    ],
  })
  try {
    await postgres.rowsOf('create extension pg_stat_statements')
    const fleet = await startFleet({
      port: firstPort,
      size: 2,
      databaseUrl: postgres.url,
      environment: { DATABASE_CONNECTIONS: '16' },
    })
    const first = await startBalancer(firstPort + FIRST_ALONE, [firstPort + 1])
    const both = openConnections(fleet.port, CONNECTIONS)
    const one = openConnections(firstPort + FIRST_ALONE, CONNECTIONS)
    const measureBoth = async (tables: string, beside?: Costs): Promise<Costs> => {
      const costs = await measured({ ...fleet, connections: one }, fleet, postgres)
      report(`${tables}, one process${beside ? ', beside empty ones' : ''}`, costs, beside)
      heading(`${tables}, two processes beside one`)
      await compare({ ...fleet, connections: both }, { ...fleet, connections: one }, fleet, postgres)
      return costs
    }
    try {
      const empty = await measureBoth('Empty tables')
      heading(`Filling the tables to ${users.toLocaleString('en')} users`)
      await fill(postgres, users)
      await waitUntilSettled({ ...fleet, connections: both })
      const { rows, bytes } = await measureSize(postgres)
      console.log(`  ${rows.toLocaleString('en')} users, ${(bytes / 1e9).toFixed(1)} GB with their indexes`)
      await measureBoth('Full tables', empty)
    } finally {
      for (const connections of [both, one]) connections.close()
      await first.close()
      await fleet.stop()
    }
  } finally {
    await postgres.stop()
  }
}

async function measured(place: Place, fleet: Fleet, postgres: Postgres): Promise<Costs> {
  // Warm up each process first, because first calls cost more. Signatures are rate limited per user, so the
  // measurement uses other users.
  const warm = await createOperations(place)
  const measured = await createOperations(place)
  const costs: Partial<Record<Operation, Cost>> = {}
  for (const name of ['login', 'refresh', 'signature'] as const) {
    await load(counts[name], warm[name])
    costs[name] = await measureCost(fleet, postgres, counts[name], measured[name])
  }
  return costs as Costs
}

/**
 * Alternates the fleets, so that both are equally warm and share the machine's load. A process handles more
 * calls per wake-up under more load. So one process is compared twice: with the calls of both, and with the
 * calls of each.
 */
async function compare(two: Place, one: Place, fleet: Fleet, postgres: Postgres): Promise<void> {
  const cpu = createCpuReader(fleet, postgres)
  const [byTwo, byOne] = [await createOperations(two), await createOperations(one)]
  for (const name of ['login', 'refresh'] as const) {
    for (const [load, workers] of [
      ['of all calls', CONNECTIONS],
      ['of as many calls as each of two', CONNECTIONS / 2],
    ] as const) {
      const pairs = await inTurns(
        counts[name] / 2,
        { cpuMs: cpu, work: byTwo[name] },
        { cpuMs: cpu, work: byOne[name], workers },
      )
      const label = `${name}, beside one ${load}`
      ratio(`${label}: server`, pairs, (turn) => turn.cpuMs.server, { unit: 'ms', note: 'aim 1.1 ×' })
      ratio(`${label}: database`, pairs, (turn) => turn.cpuMs.database, { unit: 'ms' })
    }
  }
}

const createCpuReader = (fleet: Fleet, postgres: Postgres) => () => ({
  server: fleetCpuMs(fleet),
  database: treeCpuMs(postgres.pid),
})

async function createOperations(
  place: Place,
): Promise<Readonly<Record<Operation, (at: number) => Promise<unknown>>>> {
  const users = await createUsers(place)
  const addresses = await Promise.all(users.all.map((user) => createWallet(place, user)))
  return {
    login: () => logIn(place),
    refresh: users.refresh,
    async signature(at) {
      const [user, address] = [users.of(at), addresses[at]]
      if (address === undefined) throw new Error(`No wallet at index ${at}`)
      await signApproved(place, user, address, await putMessage(place, user, address, `${Math.random()}`))
    },
  }
}

async function measureCost(
  fleet: Fleet,
  postgres: Postgres,
  count: number,
  work: (worker: number) => Promise<unknown>,
): Promise<Cost> {
  await postgres.rowsOf('select pg_stat_statements_reset()')
  const cpu = createCpuReader(fleet, postgres)
  const cpuBefore = cpu()
  const startedAt = performance.now()
  const lockedMs = await measureLockWaits(postgres, () => load(count, work))
  const ms = performance.now() - startedAt
  const after = cpu()
  const [sums] = await postgres.rowsOf(
    `select sum(calls)::float as statements, sum(rows)::float as rows, sum(wal_bytes)::float as bytes
     from pg_stat_statements where query not like '%pg_stat%'`,
  )
  const sum = (name: string) => Number(sums?.[name] ?? 0) / count
  return {
    perSecond: (count / ms) * 1_000,
    serverMs: (after.server - cpuBefore.server) / count,
    databaseMs: (after.database - cpuBefore.database) / count,
    statements: sum('statements'),
    rows: sum('rows'),
    logBytes: sum('bytes'),
    lockMs: lockedMs / count,
  }
}

const lookEveryMs = 20

/** Samples lock waits. Each waiting process counts for the sampling interval. */
async function measureLockWaits({ url }: Postgres, work: () => Promise<unknown>): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  let isOver = false
  let waitedMs = 0
  const watch = async () => {
    let lookedAt = performance.now()
    while (!isOver) {
      await sleep(lookEveryMs)
      const { rows } = await client.query(
        "select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock'",
      )
      const now = performance.now()
      waitedMs += Number(rows[0]?.waiting) * (now - lookedAt)
      lookedAt = now
    }
  }
  const working = work().finally(() => {
    isOver = true
  })
  try {
    await Promise.all([working, watch()])
    return waitedMs
  } finally {
    await client.end()
  }
}

const readStatFields = (pid: number | string) =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
const ticksMs = 10

/**
 * Returns the user and system time of a process and its children, including exited ones, as Linux counts it.
 */
export function treeCpuMs(pid: number): number {
  const own = readStatFields(pid)
  let ms = [11, 12, 13, 14].reduce((sum, at) => sum + Number(own[at]), 0) * ticksMs
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    try {
      if (readStatFields(entry)[1] === String(pid)) ms += cpuMs(Number(entry))
    } catch {
      // The process has exited.
    }
  }
  return ms
}

function report(title: string, costs: Costs, beside?: Costs): void {
  heading(title)
  for (const [name, cost] of Object.entries(costs) as [Operation, Cost][]) {
    const other = beside?.[name]
    const ratio = (value: number, than: number | undefined) =>
      than ? ` (${(value / than).toFixed(2)} ×)` : ''
    console.log(
      `  ${name.padEnd(10)} ${cost.perSecond.toFixed(0).padStart(5)} /s   server ${cost.serverMs.toFixed(2)} ms${ratio(cost.serverMs, other?.serverMs)}` +
        `   database ${cost.databaseMs.toFixed(2)} ms${ratio(cost.databaseMs, other?.databaseMs)}` +
        `   ${cost.statements.toFixed(1)} statements, ${cost.rows.toFixed(1)} rows, ${(cost.logBytes / 1_000).toFixed(1)} kB of log, ${cost.lockMs.toFixed(2)} ms for locks`,
    )
  }
}

/** Rows of a long-time user: the user, an account, an active session and a wallet. */
const filled: Readonly<Record<string, string>> = {
  users: `(id, app_id, created_at) select md5('u' || i), '${appId}', 1700000000 + i % 50000000`,
  linked_accounts: `(id, app_id, user_id, type, identifier, profile, verified_at, first_verified_at, latest_verified_at)
    select md5('a' || i), '${appId}', md5('u' || i), 'email', md5('u' || i) || '@full.test', '{"address":"somebody@full.test"}', 1700000000, 1700000000, 1700000000`,
  sessions: `(id, app_id, user_id, kind, family_id, token_key, counter, rotated_at_ms, started_at, key_thumbprint, created_at, last_used_at, expires_at)
    select md5('s' || i), '${appId}', md5('u' || i), 'login', md5('s' || i), repeat('k', 120), 1, 1700000000000, 1700000000, md5('k' || i), 1700000000, 1700000000, 4000000000 + i % 1000000`,
  wallets: `(id, app_id, user_id, kind, chain_type, status, generation, address, recovery_method, auth_share, recovery_share, created_at, committed_at, last_generation)
    select md5('w' || i), '${appId}', md5('u' || i), 'entropy', 'ethereum', 'committed', 1, '0x' || substr(md5('x' || i) || md5('y' || i), 1, 40), 'latchkey', repeat('a', 300), repeat('r', 300), 1700000000, 1700000000, 1`,
}

/** Inserts the rows. Indexes are built afterwards. */
async function fill(postgres: Postgres, users: number): Promise<void> {
  for (const [table, columns] of Object.entries(filled)) {
    const startedAt = performance.now()
    const constraints = await postgres.rowsOf(
      `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint where conrelid = '${table}'::regclass and contype in ('p', 'u')`,
    )
    const indexes = await postgres.rowsOf(
      `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
       where indrelid = '${table}'::regclass and not exists (select 1 from pg_constraint where conindid = indexrelid)`,
    )
    for (const { name } of constraints) await postgres.rowsOf(`alter table ${table} drop constraint ${name}`)
    for (const { name } of indexes) await postgres.rowsOf(`drop index ${name}`)
    await postgres.rowsOf(`insert into ${table} ${columns} from generate_series(1, ${users}) as i`)
    for (const { name, definition } of constraints) {
      await postgres.rowsOf(`alter table ${table} add constraint ${name} ${definition}`)
    }
    for (const { definition } of indexes) await postgres.rowsOf(String(definition))
    await postgres.rowsOf(`analyze ${table}`)
    console.log(`  ${table.padEnd(16)} ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
  }
  await postgres.rowsOf('checkpoint')
}

const settleMs = 5_000
const settleDeadlineMs = 600_000

/**
 * Waits until the disk has written the rows. Before that, servers are not ready and a balancer has no
 * upstream.
 */
async function waitUntilSettled(place: Place): Promise<void> {
  const giveUpAt = performance.now() + settleDeadlineMs
  for (;;) {
    try {
      await load(CONNECTIONS * 4, () => logIn(place))
      return
    } catch (error) {
      if (performance.now() > giveUpAt) throw error
      await sleep(settleMs)
    }
  }
}

async function measureSize(postgres: Postgres): Promise<{ rows: number; bytes: number }> {
  const [found] = await postgres.rowsOf(
    'select (select count(*) from users)::float as rows, pg_database_size(current_database())::float as bytes',
  )
  return { rows: Number(found?.rows), bytes: Number(found?.bytes) }
}

/**
 * Fills the tables with users, and measures the database time of each list and look-up of the Admin API. Run by
 * `npm run bench -- lists --users 10000000`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { adminRoutes } from '@latchkey/protocol/admin'
import { sql } from 'kysely'
import { collectMigrations } from '../kernel/capability.ts'
import { type Database, openDatabase } from '../kernel/db/database.ts'
import type { AdminCall } from '../kernel/http/admin-endpoint.ts'
import { capabilities } from '../start/capabilities.ts'
import { testApp, testContext } from './context.ts'

const limitMs = 30
const rounds = 20
const batchRows = 100_000

const {
  values: { users: usersText, url = '' },
} = parseArgs({ options: { users: { type: 'string', default: '10000000' }, url: { type: 'string' } } })
const users = Number(usersText)
const folder = url === '' ? mkdtempSync(join(tmpdir(), 'latchkey-lists-')) : undefined
const database = openDatabase(url || join(folder ?? '', 'lists.sqlite'), {
  migrations: collectMigrations(capabilities),
})
try {
  await database.migrate()
  const context = await testContext(database)
  const app = await testApp(context)
  console.log(`Lists and look-ups with ${users.toLocaleString('en')} users on ${database.engine}`)
  await fill(database, app.id)
  await measure(context, app.id)
} finally {
  await database.close()
  if (folder !== undefined) rmSync(folder, { recursive: true })
}

/** Rows of one user each. `n` is a number of fixed width, and `i` the number itself. */
function rowsOfUsers(appId: string): Record<string, string> {
  const user = `'usr_' || n`
  const at = '1700000000 + i / 10'
  return {
    users: `(id, app_id, created_at, blocked_at) select ${user}, '${appId}', ${at}, case when i % 1000 = 0 then 1700000000 end`,
    linked_accounts: `(id, app_id, user_id, type, identifier, profile, verified_at, first_verified_at, latest_verified_at)
      select 'acc_' || n, '${appId}', ${user}, 'email', 'user' || n || '@full.example', '{"address":"user' || n || '@full.example"}', ${at}, ${at}, ${at}`,
    sessions: `(id, app_id, user_id, kind, family_id, token_key, counter, rotated_at_ms, started_at, key_thumbprint, created_at, last_used_at, expires_at)
      select 'ses_' || n, '${appId}', ${user}, 'login', 'ses_' || n, 'key', 1, 1700000000000, ${at}, 'k' || n, ${at}, ${at}, 4000000000`,
    wallets: `(id, app_id, user_id, kind, chain_type, status, generation, address, recovery_method, auth_share, recovery_share, created_at, committed_at, last_generation)
      select 'wal_' || n, '${appId}', ${user}, 'entropy', 'ethereum', 'committed', 1, '0x' || n || '000000000000000000000000000000', 'latchkey', 'share', 'share', ${at}, ${at}, 1`,
    external_ids: `(app_id, external_id, user_id) select '${appId}', 'customer-' || n, ${user}`,
    allowlist: `(app_id, type, identifier) select '${appId}', 'email', 'user' || n || '@full.example'`,
    admin_audit: `(chain, sequence, at, actor, operation, scope, user_id, status, result, request_id, prev, prev_at, hash)
      select '${appId}', i, ${at}, 'key', 'getUser', 'users:read', ${user}, 200, 'ok', 'r', 'p', ${at}, 'h' || n`,
    webhook_events: `(id, app_id, user_id, type, body, created_at) select 'msg_' || n, '${appId}', ${user}, 'user.created', '{}', ${at}`,
    webhook_deliveries: `(webhook_id, event_id, state, attempts, created_at)
      select 'whk_1', 'msg_' || n, case when i % 1000 = 0 then 'failed' else 'delivered' end, 1, ${at}`,
  }
}

async function fill({ db, engine }: Database, appId: string): Promise<void> {
  for (const [table, rows] of Object.entries(rowsOfUsers(appId))) {
    const startedAt = performance.now()
    for (let first = 1; first <= users; first += batchRows) {
      const last = Math.min(first + batchRows - 1, users)
      const numbers =
        engine === 'postgres'
          ? `select i from generate_series(${first}, ${last}) as i`
          : `with recursive counted(i) as (select ${first} union all select i + 1 from counted where i < ${last}) select i from counted`
      const from = `from (select i, cast(1000000000 + i as text) as n from (${numbers}) as numbers) as numbered`
      await sql.raw(`insert into ${table} ${rows} ${from}`).execute(db)
    }
    console.log(`  ${table.padEnd(20)} ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)
  }
  const hours = Array.from({ length: 92 * 24 }, (_, hour) => 1_767_225_600 - hour * 3_600)
  for (const metric of ['logins', 'codes_sent', 'signatures']) {
    for (const label of ['email', 'sms', 'google', 'page']) {
      await db
        .insertInto('analytics_counts')
        .values(
          hours.map((hour) => ({
            app_id: appId,
            hour,
            event_name: `server.${metric}`,
            method: label,
            slot: 0,
            count: 9,
          })),
        )
        .execute()
    }
  }
  await sql
    .raw(
      `insert into webhooks (id, app_id, url, description, events, state, created_at) values ('whk_1', '${appId}', 'https://hooks.example', '', '', 'enabled', 1)`,
    )
    .execute(db)
  await sql
    .raw(`insert into admin_audit_heads (chain, sequence, hash, at) values ('${appId}', ${users}, 'h', 1)`)
    .execute(db)
  await sql.raw('analyze').execute(db)
}

type Route = keyof typeof adminRoutes
type Input = { params?: Record<string, string>; query?: object; body?: object }

/** A call per list and look-up, by its name in the report. */
function callsFor(): [name: string, route: Route, input: Input][] {
  const middle = Math.floor(users / 2)
  const n = 1_000_000_000 + middle
  const user = { user: `usr_${n}` }
  const email = `user${n}@full.example`
  const cursor = Buffer.from(`${1_700_000_000 + Math.floor(middle / 10)}.usr_${n}`).toString('base64url')
  const lastDelivery = Buffer.from(`${1_700_000_000 + Math.floor(middle / 10)}.msg_${n}`).toString(
    'base64url',
  )
  const webhook = { webhook: 'whk_1' }
  return [
    ['users, first page', 'listUsers', { query: { limit: 200 } }],
    ['users, page in the middle', 'listUsers', { query: { limit: 200, after: cursor } }],
    ['users, created before', 'listUsers', { query: { createdBefore: '2023-11-15T00:00:00Z' } }],
    ['users, blocked', 'listUsers', { query: { blocked: 'true', limit: 200 } }],
    ['users, not blocked', 'listUsers', { query: { blocked: 'false', limit: 200 } }],
    ['user by e-mail', 'listUsers', { query: { email } }],
    ['user by phone', 'listUsers', { query: { phone: '+14155550100' } }],
    ['user by wallet', 'listUsers', { query: { wallet: `0x${n}000000000000000000000000000000` } }],
    ['user by account', 'listUsers', { query: { account: `email:${email}` } }],
    ['user by external id', 'listUsers', { query: { externalId: `customer-${n}` } }],
    ['users by prefix', 'searchUsers', { body: { prefix: `user${String(n).slice(0, 6)}`, limit: 50 } }],
    ['user', 'getUser', { params: user }],
    ['sessions of a user', 'listSessions', { params: user }],
    ['app', 'getApp', {}],
    ['apps', 'listApps', { query: {} }],
    ['allowlist', 'listAllowlist', { query: { limit: 200 } }],
    ['requesters', 'listRequesters', {}],
    ['proposals', 'listProposals', { query: {} }],
    ['audit', 'listAudit', { query: { limit: 200 } }],
    ['audit of a call', 'listAudit', { query: { event: 'updateUser', limit: 200 } }],
    ['audit of a user', 'listAudit', { query: { user: user.user, limit: 200 } }],
    ['webhooks', 'listWebhooks', {}],
    ['deliveries', 'listWebhookDeliveries', { params: webhook, query: { limit: 200 } }],
    [
      'deliveries in the middle',
      'listWebhookDeliveries',
      { params: webhook, query: { limit: 200, after: lastDelivery } },
    ],
    [
      'deliveries, failed',
      'listWebhookDeliveries',
      { params: webhook, query: { state: 'failed', limit: 200 } },
    ],
    [
      'stats by day, 92 days',
      'readStats',
      { query: { from: '2025-10-01T00:00:00Z', to: '2026-01-01T00:00:00Z' } },
    ],
    [
      'stats by hour, 7 days',
      'readStats',
      { query: { bucket: '1h', from: '2025-12-25T00:00:00Z', to: '2026-01-01T00:00:00Z' } },
    ],
    ['system', 'readSystem', {}],
  ].map(([name, route, input]) => [name, route, input] as [string, Route, Input])
}

/**
 * Returns a function for the elapsed time. SQLite works in this process, so its processor time counts: other programs of
 * the machine do not slow it down. PostgreSQL works in other processes, so the waiting time counts.
 */
function startClock(): () => number {
  if (database.engine === 'postgres') {
    const startedAt = performance.now()
    return () => performance.now() - startedAt
  }
  const usage = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(usage)
    return (user + system) / 1_000
  }
}

async function measure(context: Awaited<ReturnType<typeof testContext>>, appId: string): Promise<void> {
  const endpoints = capabilities.flatMap(({ adminEndpoints = [] }) => adminEndpoints)
  let slow = 0
  for (const [name, routeName, { params = {}, query, body }] of callsFor()) {
    const endpoint = endpoints.find(({ route }) => route === adminRoutes[routeName])
    if (endpoint === undefined || !('read' in endpoint)) throw new Error(`${routeName} reads nothing`)
    const { scopes } = endpoint.route
    const caller = { id: 'bench', operator: null, scopes: [...scopes], appId: null }
    const call = { caller, appId, params, query, body, ifMatch: undefined } as AdminCall
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const startedAt = startClock()
      await endpoint.read(call, context)
      times.push(startedAt())
    }
    // The shortest round shows the work of the database. Longer ones fill caches, or wait for other programs.
    times.sort((one, other) => one - other)
    const [shortest = 0, median = 0] = [times[0], times[rounds / 2]]
    const isSlow = shortest > limitMs
    if (isSlow) slow += 1
    const note = isSlow ? `   above ${limitMs} ms` : ''
    console.log(`  ${name.padEnd(28)} ${format(shortest)}   median ${format(median)}${note}`)
  }
  console.log(
    slow === 0 ? `  Each takes less than ${limitMs} ms.` : `  ${slow} take more than ${limitMs} ms.`,
  )
}

function format(ms: number): string {
  return `${ms.toFixed(1).padStart(7)} ms`
}

/** The state of the server, for the Admin API. */
import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AdminRouteOutput, adminStatsRoutes } from '@latchkey/protocol/admin'
import { withOutboxTables } from '../../identity/outbox/outbox.ts'
import type { Capability } from '../../kernel/capability.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { findMissing, readLedger } from '../../kernel/db/migrate/ledger.ts'
import { migrations } from '../../kernel/db/migrations/index.ts'
import { adminRead } from '../../kernel/http/admin-endpoint.ts'
import { nowSeconds } from '../../kernel/ports.ts'
import { canConnect, type ThirdParty } from '../../kernel/third-parties.ts'
import { assertEveryApp, formatTime } from '../../platform/admin/admin.ts'
import { oldestDueMs } from '../../platform/webhooks/deliveries.ts'
import { beforeDeadline } from '../doctor/ports.ts'
import { getErrorReason } from '../health/reach.ts'
import { systemLimits } from './limits.ts'

type SystemState = AdminRouteOutput<typeof adminStatsRoutes.readSystem>

async function readMigrations({ db, capabilities }: ServerContext): Promise<SystemState['migrations']> {
  const all = { ...migrations, ...capabilities.migrations }
  const missing = findMissing(all, await readLedger(db))
  return { done: Object.keys(all).length - missing.length, missing: [...missing] }
}

async function readServers({ db, clock }: ServerContext): Promise<string[]> {
  const rows = await db
    .selectFrom('running_servers')
    .select('name')
    .where('expires_at', '>', nowSeconds(clock))
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}

async function readWebhooks({ db, clock }: ServerContext): Promise<SystemState['webhooks']> {
  const tables = withOutboxTables(db)
  const dueMs = await oldestDueMs(db, clock)
  const { pending } = await tables
    .selectFrom(
      tables
        .selectFrom('webhook_deliveries')
        .select('webhook_id')
        // Uses the index. SQLite reads every row for `is not null`.
        .where('due_at_ms', '>', 0)
        .limit(systemLimits.mostCounted)
        .as('waiting'),
    )
    .select(({ fn }) => fn.countAll<number>().as('pending'))
    .executeTakeFirstOrThrow()
  const { paused } = await tables
    .selectFrom('webhooks')
    .select(({ fn }) => fn.countAll<number>().as('paused'))
    .where('state', '=', 'paused')
    .executeTakeFirstOrThrow()
  return {
    pending: Number(pending),
    oldestDueAt: dueMs === undefined ? null : new Date(dueMs).toISOString(),
    pausedWebhooks: Number(paused),
  }
}

const providers = new WeakMap<ServerContext, { states: Promise<SystemState['providers']>; atMs: number }>()

/** Checks the providers at most once a minute, so that calls cannot flood them with connections. */
function readProviders(context: ServerContext): Promise<SystemState['providers']> {
  const nowMs = context.clock.nowMs()
  const cached = providers.get(context)
  if (cached && Math.abs(nowMs - cached.atMs) < systemLimits.providersFreshMs) return cached.states
  const checkedAt = formatTime(nowSeconds(context.clock))
  const states = Promise.all(
    context.capabilities.thirdParties.map((party) => checkProvider(party, checkedAt)),
  )
  providers.set(context, { states, atMs: nowMs })
  return states
}

async function checkProvider(
  { variable, url, check }: ThirdParty,
  checkedAt: string,
): Promise<SystemState['providers'][number]> {
  const { host } = new URL(url)
  const deadline = AbortSignal.timeout(systemLimits.reachDeadlineMs)
  const problem = await beforeDeadline(deadline, check ?? ((signal) => canConnect(url, signal))).then(
    () => null,
    getErrorReason,
  )
  return { variable, host, isReachable: problem === null, problem, checkedAt }
}

function hashPage(folder: string): string | null {
  const file = join(folder, 'index.html')
  return existsSync(file) ? hash('sha256', readFileSync(file), 'hex') : null
}

const startedAt = formatTime(Math.floor(performance.timeOrigin / 1_000))

export const system: Capability = {
  name: 'system',
  adminEndpoints: [
    adminRead(adminStatsRoutes.readSystem, async ({ caller }, context) => {
      assertEveryApp(caller)
      const { config, keyring } = context
      const [migrations, servers, webhooks, providers] = await Promise.all([
        readMigrations(context),
        readServers(context),
        readWebhooks(context),
        readProviders(context),
      ])
      return {
        output: {
          release: config.release,
          startedAt,
          migrations,
          servers,
          keys: (['signing', 'sealing', 'pepper'] as const).map((purpose) => ({
            purpose,
            createdAt: formatTime(keyring.createdAt()[purpose]),
          })),
          webhooks,
          providers,
          pages: { dialog: hashPage(config.dialogDist), wallet: hashPage(config.walletDist) },
        },
      }
    }),
  ],
}

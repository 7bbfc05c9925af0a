/** The tables of hooks, and their statements. */
import type { HookKind, hookFailureModes } from '@latchkey/protocol/admin'
import type { Migrations } from '../../kernel/db/migrations/migration.ts'
import { type Clock, nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import { removeSecrets } from '../webhooks/webhooks.ts'

export type HookRow = {
  id: string
  app_id: string
  kind: HookKind
  url: string
  on_failure: (typeof hookFailureModes)[number]
  state: 'enabled' | 'disabled'
  created_at: number
}

type ClaimsRow = {
  /** The root session of a family. Its forks have the same claims. */
  session_id: string
  user_id: string
  app_id: string
  /** JSON. */
  claims: string
  created_at: number
}

type HookTables = { hooks: HookRow; session_claims: ClaimsRow }
export const withHookTables = (reader: Reader) => reader.withTables<HookTables>()

export const hookMigrations: Migrations = {
  '0001-tables': {
    async up({ schema }) {
      await schema
        .createTable('hooks')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('url', 'text', (column) => column.notNull())
        .addColumn('on_failure', 'text', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addUniqueConstraint('hooks_by_app', ['app_id', 'kind'])
        .execute()
      await schema
        .createTable('session_claims')
        .addColumn('session_id', 'text', (column) => column.primaryKey())
        .addColumn('user_id', 'text', (column) => column.notNull())
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('claims', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute()
      await schema.createIndex('session_claims_by_user').on('session_claims').column('user_id').execute()
      await schema.createIndex('session_claims_by_age').on('session_claims').column('created_at').execute()
    },
  },
}

export const listHooks = (reader: Reader, appId: string): Promise<HookRow[]> =>
  withHookTables(reader).selectFrom('hooks').selectAll().where('app_id', '=', appId).orderBy('kind').execute()

export const findHook = (reader: Reader, appId: string, id: string): Promise<HookRow | undefined> =>
  withHookTables(reader)
    .selectFrom('hooks')
    .selectAll()
    .where('id', '=', id)
    .where('app_id', '=', appId)
    .executeTakeFirst()

/** Locks the hook by an update without changes, because SQLite has no `select … for update`. */
export const lockHook = (trx: Trx, appId: string, id: string): Promise<HookRow | undefined> =>
  withHookTables(trx)
    .updateTable('hooks')
    .set((hook) => ({ app_id: hook.ref('app_id') }))
    .where('id', '=', id)
    .where('app_id', '=', appId)
    .returningAll()
    .executeTakeFirst()

export type NewHook = Pick<HookRow, 'id' | 'app_id' | 'kind' | 'url' | 'on_failure'>

/** Returns undefined if the app has a hook of this kind. */
export const insertHook = (trx: Trx, clock: Clock, hook: NewHook): Promise<HookRow | undefined> =>
  withHookTables(trx)
    .insertInto('hooks')
    .values({ ...hook, state: 'enabled', created_at: nowSeconds(clock) })
    .onConflict((conflict) => conflict.columns(['app_id', 'kind']).doNothing())
    .returningAll()
    .executeTakeFirst()

export async function changeHook(
  trx: Trx,
  id: string,
  values: Partial<Pick<HookRow, 'url' | 'on_failure' | 'state'>>,
): Promise<void> {
  if (Object.keys(values).length === 0) return
  await withHookTables(trx).updateTable('hooks').set(values).where('id', '=', id).execute()
}

/** Deletes a hook with its secrets. Stored claims of `token.claims` are deleted too. */
export async function removeHook(trx: Trx, { id, app_id: appId, kind }: HookRow): Promise<void> {
  await removeSecrets(trx, id)
  const tables = withHookTables(trx)
  if (kind === 'token.claims') await tables.deleteFrom('session_claims').where('app_id', '=', appId).execute()
  await tables.deleteFrom('hooks').where('id', '=', id).execute()
}

export async function readClaims(reader: Reader, sessionId: string): Promise<string | undefined> {
  const row = await withHookTables(reader)
    .selectFrom('session_claims')
    .select('claims')
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  return row?.claims
}

export async function storeClaims(reader: Reader, row: ClaimsRow): Promise<void> {
  await withHookTables(reader)
    .insertInto('session_claims')
    .values(row)
    .onConflict((conflict) => conflict.column('session_id').doNothing())
    .execute()
}

import { sql } from 'kysely'
import type { Row } from '../../kernel/db/schema.ts'
import type { Reader } from '../../kernel/ports.ts'

type AppTable = {
  id: string
  name: string
  /** Unused. Release 0.1.0 requires the column; a later release than this one drops it. */
  secret_hash: string
  /** `AppConfig` without id, name and times, as JSON. */
  config: string
  /** JSON array of exact origins, and of one-label wildcards for a development app. */
  allowed_origins: string
  environment: 'development' | 'production'
  session_mode: 'storage' | 'cookie'
  max_users: number | null
  deleted_users_kept_days: number
  /** `events`: each analytics event is stored besides the hourly counts. */
  analytics: 'counts' | 'events'
  created_at: number
  updated_at: number
}

/** Accounts that may log in to an app with an allowlist. */
type AllowlistTable = { app_id: string; type: string; identifier: string }

declare module '../../kernel/db/schema.ts' {
  interface Database {
    apps: AppTable
    allowlist: AllowlistTable
  }
}

export type AppRow = Row<'apps'>

export const appById = (reader: Reader, id: string): Promise<AppRow | undefined> =>
  reader.selectFrom('apps').selectAll().where('id', '=', id).executeTakeFirst()

/** Locks and reads the app. An update without changes locks a row in PostgreSQL and SQLite. */
export const lockApp = (reader: Reader, id: string): Promise<AppRow | undefined> =>
  reader
    .updateTable('apps')
    .set((app) => ({ name: app.ref('name') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

export const listApps = (reader: Reader): Promise<AppRow[]> =>
  reader.selectFrom('apps').selectAll().orderBy('created_at').orderBy('id').execute()

/** The position in a list that is sorted by creation time. The next page starts after it. */
export type AppPosition = { at: number; id: string }

/** Returns apps, newest first, or only the app with this id. */
export function readAppsPage(
  reader: Reader,
  id: string | null,
  position: AppPosition | undefined,
  limit: number,
): Promise<AppRow[]> {
  let query = reader
    .selectFrom('apps')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (id !== null) query = query.where('id', '=', id)
  if (position) query = query.where(sql<boolean>`(created_at, id) < (${position.at}, ${position.id})`)
  return query.execute()
}

/** Inserts an app. Returns false if the id is taken. */
export async function insertApp(reader: Reader, app: AppRow): Promise<boolean> {
  const inserted = await reader
    .insertInto('apps')
    .values(app)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function updateApp(reader: Reader, id: string, change: Partial<AppRow>): Promise<void> {
  await reader.updateTable('apps').set(change).where('id', '=', id).execute()
}

export type AllowlistEntry = { type: string; identifier: string }

export const listAllowlist = (reader: Reader, appId: string): Promise<AllowlistEntry[]> =>
  reader
    .selectFrom('allowlist')
    .select(['type', 'identifier'])
    .where('app_id', '=', appId)
    .orderBy('type')
    .orderBy('identifier')
    .execute()

/** Returns the entries after another one, in order. */
export function readAllowlistPage(
  reader: Reader,
  appId: string,
  after: AllowlistEntry | undefined,
  limit: number,
): Promise<AllowlistEntry[]> {
  const query = reader
    .selectFrom('allowlist')
    .select(['type', 'identifier'])
    .where('app_id', '=', appId)
    .orderBy('type')
    .orderBy('identifier')
    .limit(limit)
  return (
    after ? query.where(sql<boolean>`(type, identifier) > (${after.type}, ${after.identifier})`) : query
  ).execute()
}

export async function addToAllowlist(reader: Reader, appId: string, entry: AllowlistEntry): Promise<void> {
  await reader
    .insertInto('allowlist')
    .values({ app_id: appId, ...entry })
    .onConflict((conflict) => conflict.columns(['app_id', 'type', 'identifier']).doNothing())
    .execute()
}

export async function removeFromAllowlist(
  reader: Reader,
  appId: string,
  { type, identifier }: AllowlistEntry,
): Promise<boolean> {
  const { numDeletedRows } = await reader
    .deleteFrom('allowlist')
    .where('app_id', '=', appId)
    .where('type', '=', type)
    .where('identifier', '=', identifier)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Data that an operator stores about a user: metadata, and the id in the operator's own system. */
import { type AdminMetadata, adminLimits } from '@latchkey/protocol/admin'
import * as v from 'valibot'
import type { Reader, Trx } from '../../kernel/ports.ts'

type Owner = { appId: string; userId: string }
type Tables = {
  user_metadata: { user_id: string; app_id: string; public: string; private: string }
  external_ids: { app_id: string; external_id: string; user_id: string }
}
/** Adds the tables of metadata and external ids to a reader. */
export const withMetadata = (reader: Reader) => reader.withTables<Tables>()

const parsePart = v.parser(v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown())))

export async function readMetadata(reader: Reader, userId: string): Promise<AdminMetadata> {
  return (await readMetadataByUser(reader, [userId])).get(userId) ?? { public: {}, private: {} }
}

/** Returns metadata by user id. */
export async function readMetadataByUser(
  reader: Reader,
  userIds: string[],
): Promise<Map<string, AdminMetadata>> {
  if (userIds.length === 0) return new Map()
  const rows = await withMetadata(reader)
    .selectFrom('user_metadata')
    .select(['user_id', 'public', 'private'])
    .where('user_id', 'in', userIds)
    .execute()
  return new Map(
    rows.map((row) => [row.user_id, { public: parsePart(row.public), private: parsePart(row.private) }]),
  )
}

/** Replaces the parts that are set. */
export async function setMetadata(
  trx: Trx,
  { appId, userId }: Owner,
  change: Partial<AdminMetadata>,
): Promise<void> {
  const metadata = { ...(await readMetadata(trx, userId)), ...change }
  const row = { public: JSON.stringify(metadata.public), private: JSON.stringify(metadata.private) }
  await withMetadata(trx)
    .insertInto('user_metadata')
    .values({ user_id: userId, app_id: appId, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute()
}

/**
 * Returns the listed keys of the public metadata for a host token, or undefined without any. Omits keys that would make
 * the token too large.
 */
export async function readTokenMetadata(
  reader: Reader,
  keys: string[],
  userId: string,
): Promise<Record<string, unknown> | undefined> {
  if (keys.length === 0) return undefined
  const { public: values } = await readMetadata(reader, userId)
  let claims: Record<string, unknown> | undefined
  for (const key of keys) {
    if (!Object.hasOwn(values, key)) continue
    const longer = { ...claims, [key]: values[key] }
    if (Buffer.byteLength(JSON.stringify(longer)) <= adminLimits.maxTokenMetadataBytes) claims = longer
  }
  return claims
}

/** Returns external ids by user id. */
export async function readExternalIds(reader: Reader, userIds: string[]): Promise<Map<string, string>> {
  if (userIds.length === 0) return new Map()
  const rows = await withMetadata(reader)
    .selectFrom('external_ids')
    .select(['user_id', 'external_id'])
    .where('user_id', 'in', userIds)
    .execute()
  return new Map(rows.map(({ user_id: userId, external_id: externalId }) => [userId, externalId]))
}

/** Sets or removes the external id. Returns false if another user of the app has it. */
export async function setExternalId(trx: Trx, { appId, userId }: Owner, id: string | null): Promise<boolean> {
  const db = withMetadata(trx)
  await db.deleteFrom('external_ids').where('user_id', '=', userId).execute()
  if (id === null) return true
  const inserted = await db
    .insertInto('external_ids')
    .values({ app_id: appId, external_id: id, user_id: userId })
    .onConflict((conflict) => conflict.columns(['app_id', 'external_id']).doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Returns the user with each external id. */
export async function findOwnersByExternalId(
  reader: Reader,
  appId: string,
  externalIds: string[],
): Promise<Map<string, string>> {
  if (externalIds.length === 0) return new Map()
  const rows = await withMetadata(reader)
    .selectFrom('external_ids')
    .select(['external_id', 'user_id'])
    .where('app_id', '=', appId)
    .where('external_id', 'in', externalIds)
    .execute()
  return new Map(rows.map(({ external_id: externalId, user_id: userId }) => [externalId, userId]))
}

/** Returns the users with this external id, at most one per app. */
export async function findExternalIdOwners(
  reader: Reader,
  externalId: string,
  appId: string | undefined,
): Promise<string[]> {
  const apps = reader.selectFrom('apps').select('id')
  const rows = await withMetadata(reader)
    .selectFrom('external_ids')
    .select('user_id')
    // The index begins with the app.
    .where('app_id', 'in', appId === undefined ? apps : [appId])
    .where('external_id', '=', externalId)
    .execute()
  return rows.map(({ user_id: userId }) => userId)
}

/**
 * Creates many users before their first login, in few statements. Like `createExpectedUser`, it links no account: the
 * first login with an expected account takes over the user.
 */
import type { AdminMetadata } from '@latchkey/protocol/admin'
import type { Reader, Trx } from '../../kernel/ports.ts'
import { withExpected } from './expected-accounts.ts'
import { readExternalIds, readMetadataByUser, setMetadata, withMetadata } from './metadata.ts'
import * as store from './store.ts'

export type NewExpectedUser = {
  id: string
  createdAt: number
  blocked: { at: number; reason: string | null } | null
  accounts: store.Name[]
  externalId: string
  metadata: Partial<AdminMetadata>
}

export const formatName = ({ type, identifier }: store.Name) => `${type}:${identifier}`

/** Returns the owner of each account, by `formatName`. The owner has the account, or expects it. */
export async function findOwnersByAccount(
  reader: Reader,
  appId: string,
  accounts: store.Name[],
): Promise<Map<string, string>> {
  const owners = new Map<string, string>()
  for (const [type, names] of Map.groupBy(accounts, (account) => account.type)) {
    const identifiers = names.map(({ identifier }) => identifier)
    const expected = await withExpected(reader)
      .selectFrom('expected_accounts')
      .select(['type', 'identifier', 'user_id'])
      .where('app_id', '=', appId)
      .where('type', '=', type)
      .where('identifier', 'in', identifiers)
      .execute()
    const linked = await reader
      .selectFrom('linked_accounts')
      .select(['type', 'identifier', 'user_id'])
      .where('app_id', '=', appId)
      .where('type', '=', type)
      .where('identifier', 'in', identifiers)
      .execute()
    // A linked account has proven its owner, so it takes precedence.
    for (const row of [...expected, ...linked]) owners.set(formatName(row), row.user_id)
  }
  return owners
}

/**
 * Inserts users without accounts. Returns the ids of those that were not inserted, because a concurrent transaction
 * inserted one of their expected accounts or their external id.
 */
export async function insertExpectedUsers(
  trx: Trx,
  appId: string,
  users: NewExpectedUser[],
): Promise<Set<string>> {
  if (users.length === 0) return new Set()
  const accounts = users.flatMap(({ id, accounts }) =>
    accounts.map(({ type, identifier }) => ({ app_id: appId, type, identifier, user_id: id })),
  )
  const expected = await withExpected(trx)
    .insertInto('expected_accounts')
    .values(accounts)
    .onConflict((conflict) => conflict.columns(['app_id', 'type', 'identifier']).doNothing())
    .returning(['type', 'identifier'])
    .execute()
  const externalIds = await withMetadata(trx)
    .insertInto('external_ids')
    .values(users.map(({ id, externalId }) => ({ app_id: appId, external_id: externalId, user_id: id })))
    .onConflict((conflict) => conflict.columns(['app_id', 'external_id']).doNothing())
    .returning('user_id')
    .execute()
  const names = new Set(expected.map(formatName))
  const idOwners = new Set(externalIds.map(({ user_id: userId }) => userId))
  const lost = new Set(
    users
      .filter(({ id, accounts }) => !idOwners.has(id) || accounts.some((one) => !names.has(formatName(one))))
      .map(({ id }) => id),
  )
  if (lost.size > 0) {
    await withExpected(trx)
      .deleteFrom('expected_accounts')
      .where('user_id', 'in', [...lost])
      .execute()
    await withMetadata(trx)
      .deleteFrom('external_ids')
      .where('user_id', 'in', [...lost])
      .execute()
  }
  const inserted = users.filter(({ id }) => !lost.has(id))
  if (inserted.length === 0) return lost
  await trx
    .insertInto('users')
    .values(
      inserted.map(({ id, createdAt, blocked }) => ({
        id,
        app_id: appId,
        created_at: createdAt,
        blocked_at: blocked?.at ?? null,
        block_reason: blocked?.reason ?? null,
      })),
    )
    .execute()
  const metadata = inserted.flatMap(({ id, metadata: { public: open = {}, private: hidden = {} } }) =>
    Object.keys(open).length + Object.keys(hidden).length === 0
      ? []
      : { user_id: id, app_id: appId, public: JSON.stringify(open), private: JSON.stringify(hidden) },
  )
  if (metadata.length > 0) await withMetadata(trx).insertInto('user_metadata').values(metadata).execute()
  return lost
}

/**
 * Sets the external id and the parts of the metadata that are empty, and changes nothing else. Returns whether it set
 * something, or that the user has another external id.
 */
export async function fillEmptyFields(
  trx: Trx,
  owner: { appId: string; userId: string },
  { externalId, metadata }: Pick<NewExpectedUser, 'externalId' | 'metadata'>,
): Promise<'filled' | 'unchanged' | 'other external id'> {
  const { appId, userId } = owner
  if (!(await store.lockUser(trx, userId))) return 'unchanged'
  const inserted = await withMetadata(trx)
    .insertInto('external_ids')
    .values({ app_id: appId, external_id: externalId, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  const current = (await readExternalIds(trx, [userId])).get(userId)
  if (current !== externalId) return 'other external id'
  const stored = (await readMetadataByUser(trx, [userId])).get(userId) ?? { public: {}, private: {} }
  const change = findMissingMetadata(stored, metadata)
  if (change !== undefined) await setMetadata(trx, owner, change)
  return inserted !== undefined || change !== undefined ? 'filled' : 'unchanged'
}

/** Returns the parts that are empty in the stored metadata, or undefined. */
export function findMissingMetadata(
  stored: AdminMetadata | undefined,
  metadata: Partial<AdminMetadata>,
): Partial<AdminMetadata> | undefined {
  const isEmpty = (part: object | undefined) => Object.keys(part ?? {}).length === 0
  const missing = Object.entries(metadata).filter(
    ([name, part]) => !isEmpty(part) && isEmpty(stored?.[name as keyof AdminMetadata]),
  )
  return missing.length === 0 ? undefined : Object.fromEntries(missing)
}

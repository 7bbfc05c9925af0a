/** Lists users for operators in keyset pages, and finds them by the start of an identifier. */
import { sql } from 'kysely'
import type { Row } from '../../kernel/db/schema.ts'
import type { Reader } from '../../kernel/ports.ts'
import { type FoundUser, foundUserColumns, toFoundUser } from './find-users.ts'
import { identifierBytes } from './migrations.ts'

/** The position of a user in the list, after which the next page starts. */
export type UserPosition = { at: number; id: string }
type UserFilter = {
  appId: string
  /** The first second to include. */
  createdFrom?: number | undefined
  /** The first second to exclude. */
  createdBefore?: number | undefined
  isBlocked?: boolean | undefined
}

/** Returns living users, newest first. New users do not move a later page. */
export async function readUsersPage(
  reader: Reader,
  { appId, createdFrom, createdBefore, isBlocked }: UserFilter,
  position: UserPosition | undefined,
  limit: number,
): Promise<FoundUser[]> {
  let query = selectUsers(reader)
    .where('app_id', '=', appId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (createdFrom !== undefined) query = query.where('created_at', '>=', createdFrom)
  if (createdBefore !== undefined) query = query.where('created_at', '<', createdBefore)
  if (isBlocked !== undefined) query = query.where('blocked_at', isBlocked ? 'is not' : 'is', null)
  if (position) query = query.where(sql<boolean>`(created_at, id) < (${position.at}, ${position.id})`)
  return (await query.execute()).map(toFoundUser)
}

/** Returns living users, oldest first, which an export reads to its end. Later users come after the position. */
export async function readUsersBatch(
  reader: Reader,
  appId: string,
  position: UserPosition | undefined,
  limit: number,
): Promise<FoundUser[]> {
  let query = selectUsers(reader).where('app_id', '=', appId).orderBy('created_at').orderBy('id').limit(limit)
  if (position) query = query.where(sql<boolean>`(created_at, id) > (${position.at}, ${position.id})`)
  return (await query.execute()).map(toFoundUser)
}

/** No identifier contains this character. */
const lastCharacter = '\u{10ffff}'

/** Returns users by the start of the identifier of an account of this type, in the order of identifiers. */
export async function findUsersByPrefix(
  reader: Reader,
  { appId, type, prefix, limit }: { appId: string; type: string; prefix: string; limit: number },
): Promise<FoundUser[]> {
  const bytes = identifierBytes(reader)
  const owners = await reader
    .selectFrom('linked_accounts')
    .select('user_id')
    .where('app_id', '=', appId)
    .where('type', '=', type)
    .where(bytes, '>=', prefix)
    .where(bytes, '<', prefix + lastCharacter)
    .orderBy(bytes)
    .limit(limit)
    .execute()
  const ids = [...new Set(owners.map(({ user_id: userId }) => userId))]
  if (ids.length === 0) return []
  const users = (await selectUsers(reader).where('id', 'in', ids).execute()).map(toFoundUser)
  return ids.flatMap((id) => users.find(({ userId }) => userId === id) ?? [])
}

/** Returns the accounts of each user, oldest first. */
export async function findAccountsByUser(
  reader: Reader,
  userIds: string[],
): Promise<Map<string, Row<'linked_accounts'>[]>> {
  if (userIds.length === 0) return new Map()
  const rows = await reader
    .selectFrom('linked_accounts')
    .selectAll()
    .where('user_id', 'in', userIds)
    .orderBy('first_verified_at')
    .orderBy('id')
    .execute()
  return Map.groupBy(rows, ({ user_id: userId }) => userId)
}

/** Returns the embedded wallets of each user, without their shares. */
export async function findWalletsByUser(reader: Reader, userIds: string[]) {
  const rows = await reader
    .selectFrom('wallets')
    .select(['user_id', 'kind', 'chain_type', 'address', 'recovery_method', 'created_at', 'committed_at'])
    .select(['solana_address', 'solana_committed_at'])
    .where('user_id', 'in', userIds)
    .where('status', '=', 'committed')
    .orderBy('chain_type')
    .execute()
  return Map.groupBy(rows, ({ user_id: userId }) => userId)
}

/** Returns the verification methods of each user, without their secrets. */
export async function findFactorsByUser(reader: Reader, userIds: string[]) {
  const rows = await reader
    .selectFrom('mfa_methods')
    .select(['user_id', 'method', 'enrolled_at'])
    .where('user_id', 'in', userIds)
    .where('status', '=', 'enrolled')
    .orderBy('enrolled_at')
    .orderBy('method')
    .execute()
  return Map.groupBy(rows, ({ user_id: userId }) => userId)
}

export async function findLivingUser(
  reader: Reader,
  appId: string,
  userId: string,
): Promise<FoundUser | undefined> {
  const row = await selectUsers(reader)
    .where('id', '=', userId)
    .where('app_id', '=', appId)
    .executeTakeFirst()
  return row && toFoundUser(row)
}

const selectUsers = (reader: Reader) =>
  reader.selectFrom('users').select(foundUserColumns).where('deleted_at', 'is', null)

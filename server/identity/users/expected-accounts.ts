/**
 * Users that an operator created before their first login. Their accounts are expected, not linked: an account is linked
 * only when its owner logs in with it, like any other. The first such login takes over the user, and the other expected
 * accounts are dropped, so that two people cannot share one user.
 */
import { randomId } from '../../kernel/ids.ts'
import type { Reader, Trx } from '../../kernel/ports.ts'
import * as store from './store.ts'

type Tables = {
  expected_accounts: { app_id: string; type: string; identifier: string; user_id: string }
}
/** Adds the table of expected accounts to a reader. */
export const withExpected = (reader: Reader) => reader.withTables<Tables>()

/** Inserts a user without accounts. Returns undefined if one of the accounts is linked or expected already. */
export async function insertExpectedUser(
  trx: Trx,
  appId: string,
  accounts: store.Name[],
  nowSeconds: number,
): Promise<string | undefined> {
  const userId = `usr_${randomId()}`
  for (const account of accounts) {
    if ((await store.findProfile(trx, { appId, ...account })) !== undefined) return undefined
    const inserted = await withExpected(trx)
      .insertInto('expected_accounts')
      .values({ app_id: appId, ...account, user_id: userId })
      .onConflict((conflict) => conflict.columns(['app_id', 'type', 'identifier']).doNothing())
      .returning('user_id')
      .executeTakeFirst()
    if (inserted === undefined) return undefined
  }
  await store.insertUser(trx, {
    id: userId,
    app_id: appId,
    created_at: nowSeconds,
    accepted_terms_at: null,
    deleted_at: null,
    kept_until: null,
    first_account_id: null,
  })
  return userId
}

export async function findExpectedUser(reader: Reader, key: store.AccountKey): Promise<string | undefined> {
  const row = await withExpected(reader)
    .selectFrom('expected_accounts')
    .select('user_id')
    .where('app_id', '=', key.appId)
    .where('type', '=', key.type)
    .where('identifier', '=', key.identifier)
    .executeTakeFirst()
  return row?.user_id
}

/**
 * Gives a proven account that was just inserted to the user that expects it. Returns that user, or undefined if there is
 * none. Of two concurrent logins with different expected accounts, the first one takes over the user.
 */
export async function claimExpectedUser(
  trx: Trx,
  key: store.AccountKey,
  accountId: string,
): Promise<string | undefined> {
  const userId = await findExpectedUser(trx, key)
  if (userId === undefined || !(await store.lockUser(trx, userId))) return undefined
  const dropped = await withExpected(trx)
    .deleteFrom('expected_accounts')
    .where('user_id', '=', userId)
    .returning('user_id')
    .execute()
  if (dropped.length === 0) return undefined
  await trx.updateTable('linked_accounts').set({ user_id: userId }).where('id', '=', accountId).execute()
  await trx.updateTable('users').set({ first_account_id: accountId }).where('id', '=', userId).execute()
  return userId
}

/** Returns the expected accounts of each user. */
export async function findExpectedAccounts(
  reader: Reader,
  userIds: string[],
): Promise<Map<string, store.Name[]>> {
  if (userIds.length === 0) return new Map()
  const rows = await withExpected(reader)
    .selectFrom('expected_accounts')
    .select(['user_id', 'type', 'identifier'])
    .where('user_id', 'in', userIds)
    .orderBy('type')
    .orderBy('identifier')
    .execute()
  return Map.groupBy(rows, ({ user_id: userId }) => userId)
}

/** Returns the users that expect this account, at most one per app. */
export async function findExpectedOwners(
  reader: Reader,
  { type, identifier }: store.Name,
  appId: string | undefined,
): Promise<string[]> {
  const apps = reader.selectFrom('apps').select('id')
  const rows = await withExpected(reader)
    .selectFrom('expected_accounts')
    .select('user_id')
    // The index begins with the app.
    .where('app_id', 'in', appId === undefined ? apps : [appId])
    .where('type', '=', type)
    .where('identifier', '=', identifier)
    .execute()
  return rows.map(({ user_id: userId }) => userId)
}

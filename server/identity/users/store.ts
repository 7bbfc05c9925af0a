import { compileQuery, type Placeholder } from '../../kernel/db/compile-query.ts'
import type { Row } from '../../kernel/db/schema.ts'
import type { Reader, Trx } from '../../kernel/ports.ts'

type UserTable = {
  id: string
  app_id: string
  created_at: number
  accepted_terms_at: number | null
  /** If set, only this row is left of the user. */
  deleted_at: number | null
  /** When this row is deleted as well. */
  kept_until: number | null
  /** The account of the sign-up. Null for users of release 0.1.0 and for deleted users. */
  first_account_id: string | null
  /** When an operator blocked the user. A blocked user has no session and cannot log in. */
  blocked_at: number | null
  /** The operator's note about the block. */
  block_reason: string | null
}

type LinkedAccountTable = {
  id: string
  app_id: string
  user_id: string
  type: string
  /** Normalized: unique by (app_id, type, identifier). */
  identifier: string
  /** The fields of the account's entity other than its identifier, as JSON. */
  profile: string
  verified_at: number
  first_verified_at: number
  latest_verified_at: number
}

declare module '../../kernel/db/schema.ts' {
  interface Database {
    users: UserTable
    linked_accounts: LinkedAccountTable
  }
}

export type AccountKey = { appId: string; type: string; identifier: string }

/** The current profile, and the time of the verification. */
export type Verification = { profile: string; nowSeconds: number }

type VerifiedKey = AccountKey & Verification

/** An account's owner, and when it was linked. */
export type OwnedAccount = {
  userId: string
  account: { id: string; linkedAt: number }
}
const ownedColumns = ['id', 'user_id', 'first_verified_at'] as const
const toOwnedAccount = ({
  id,
  user_id: userId,
  first_verified_at: linkedAt,
}: Pick<Row<'linked_accounts'>, (typeof ownedColumns)[number]>): OwnedAccount => ({
  userId,
  account: { id, linkedAt },
})

const verify = compileQuery((db, value: Placeholder<VerifiedKey>) =>
  updateVerification(
    db,
    { appId: value('appId'), type: value('type'), identifier: value('identifier') },
    { profile: value('profile'), nowSeconds: value('nowSeconds') },
  ).returning(ownedColumns),
)
/** Updates profile and verification time of an account. Returns its owner. */
export async function verifyAccount(
  trx: Trx,
  key: AccountKey,
  verification: Verification,
): Promise<OwnedAccount | undefined> {
  const [account] = await verify(trx, { ...key, ...verification })
  return account && toOwnedAccount(account)
}

/** Like `verifyAccount`, for an account of this user only. Returns false if the user does not have it. */
export async function verifyOwnAccount(
  trx: Trx,
  key: AccountKey,
  userId: string,
  verification: Verification,
): Promise<boolean> {
  const account = await updateVerification(trx, key, verification)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst()
  return account !== undefined
}

const updateVerification = (reader: Reader, key: AccountKey, { profile, nowSeconds }: Verification) =>
  reader
    .updateTable('linked_accounts')
    .set({ profile, latest_verified_at: nowSeconds })
    .where('app_id', '=', key.appId)
    .where('type', '=', key.type)
    .where('identifier', '=', key.identifier)

const insertAccountRow = (db: Reader, value: Placeholder<Row<'linked_accounts'>>) =>
  db.insertInto('linked_accounts').values({
    id: value('id'),
    app_id: value('app_id'),
    user_id: value('user_id'),
    type: value('type'),
    identifier: value('identifier'),
    profile: value('profile'),
    verified_at: value('verified_at'),
    first_verified_at: value('first_verified_at'),
    latest_verified_at: value('latest_verified_at'),
  })

const addAccount = compileQuery((db, value: Placeholder<Row<'linked_accounts'>>) =>
  insertAccountRow(db, value)
    .onConflict((conflict) => conflict.columns(['app_id', 'type', 'identifier']).doNothing())
    .returning('id'),
)
/** Inserts an account. Returns false if it exists. A concurrent insert waits and then returns false. */
export async function insertAccount(trx: Trx, account: Row<'linked_accounts'>): Promise<boolean> {
  const [inserted] = await addAccount(trx, account)
  return inserted !== undefined
}

const verifyOrAdd = compileQuery((db, value: Placeholder<Row<'linked_accounts'>>) =>
  insertAccountRow(db, value)
    .onConflict((conflict) =>
      conflict.columns(['app_id', 'type', 'identifier']).doUpdateSet((row) => ({
        profile: row.ref('excluded.profile'),
        latest_verified_at: row.ref('excluded.latest_verified_at'),
      })),
    )
    .returning(ownedColumns),
)
/**
 * Verifies an existing account or inserts this row. Returns the owner. A concurrent insert waits and returns the first
 * one's owner.
 */
export async function verifyOrInsertAccount(
  trx: Trx,
  account: Row<'linked_accounts'>,
): Promise<OwnedAccount> {
  const [owned] = await verifyOrAdd(trx, account)
  if (owned === undefined) throw new Error('The inserted account has no owner')
  return toOwnedAccount(owned)
}

type NewUser = Omit<Row<'users'>, 'blocked_at' | 'block_reason'>
const addUser = compileQuery((db, value: Placeholder<NewUser>) =>
  db.insertInto('users').values({
    id: value('id'),
    app_id: value('app_id'),
    created_at: value('created_at'),
    accepted_terms_at: value('accepted_terms_at'),
    deleted_at: value('deleted_at'),
    kept_until: value('kept_until'),
    first_account_id: value('first_account_id'),
  }),
)
export const insertUser = async (trx: Trx, user: NewUser): Promise<void> => {
  await addUser(trx, user)
}

export async function isUser(reader: Reader, appId: string, userId: string): Promise<boolean> {
  const user = await reader
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('app_id', '=', appId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return user !== undefined
}

/**
 * Locks a user by an update without changes, because SQLite has no `select … for update`. Returns false if the user was
 * deleted.
 */
export async function lockUser(trx: Trx, userId: string): Promise<boolean> {
  const locked = await trx
    .updateTable('users')
    .set((user) => ({ app_id: user.ref('app_id') }))
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return locked !== undefined
}

/** Returns when the user was blocked, or null. */
export async function findBlock(reader: Reader, userId: string): Promise<number | null> {
  const user = await reader
    .selectFrom('users')
    .select('blocked_at')
    .where('id', '=', userId)
    .executeTakeFirst()
  return user?.blocked_at ?? null
}

/** Sets or removes the block of a user. */
export async function setBlock(
  trx: Trx,
  userId: string,
  block: { at: number; reason: string | null } | null,
): Promise<void> {
  await trx
    .updateTable('users')
    .set({ blocked_at: block?.at ?? null, block_reason: block?.reason ?? null })
    .where('id', '=', userId)
    .execute()
}

/** Locks all accounts of a user until the transaction ends, as logins do with the one that they use. */
export async function lockAccounts(trx: Trx, userId: string): Promise<void> {
  await trx
    .updateTable('linked_accounts')
    .set((account) => ({ type: account.ref('type') }))
    .where('user_id', '=', userId)
    .execute()
}

export const findAccounts = (reader: Reader, userId: string) =>
  reader
    .selectFrom('linked_accounts')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('first_verified_at')
    .orderBy('id')
    .execute()

export async function removeAccount(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('linked_accounts').where('id', '=', id).execute()
}

export type Name = Pick<AccountKey, 'type' | 'identifier'>

export async function isAnyOnAllowlist(trx: Trx, appId: string, names: readonly Name[]): Promise<boolean> {
  if (names.length === 0) return false
  const listed = await trx
    .selectFrom('allowlist')
    .select('identifier')
    .where('app_id', '=', appId)
    .where((entry) => entry.or(names.map(({ type, identifier }) => entry.and({ type, identifier }))))
    .limit(1)
    .executeTakeFirst()
  return listed !== undefined
}

export async function countAccountsOfType(reader: Reader, userId: string, type: string): Promise<number> {
  const { count } = await reader
    .selectFrom('linked_accounts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('type', '=', type)
    .executeTakeFirstOrThrow()
  return count
}

export async function lockAccount(trx: Trx, { appId, type, identifier }: AccountKey): Promise<void> {
  await trx
    .updateTable('linked_accounts')
    .set((account) => ({ type: account.ref('type') }))
    .where('app_id', '=', appId)
    .where('type', '=', type)
    .where('identifier', '=', identifier)
    .execute()
}

/** Updates the verification time of an account. Returns undefined if it no longer exists. */
export async function touchAccount(
  trx: Trx,
  key: AccountKey,
  nowSeconds: number,
): Promise<OwnedAccount | undefined> {
  const touched = await trx
    .updateTable('linked_accounts')
    .set({ latest_verified_at: nowSeconds })
    .where('app_id', '=', key.appId)
    .where('type', '=', key.type)
    .where('identifier', '=', key.identifier)
    .returning(ownedColumns)
    .executeTakeFirst()
  return touched && toOwnedAccount(touched)
}

/** Returns the profile and the owner of an account. */
export const findProfile = (
  reader: Reader,
  { appId, type, identifier }: AccountKey,
): Promise<{ id: string; profile: string; user_id: string } | undefined> =>
  reader
    .selectFrom('linked_accounts')
    .select(['id', 'profile', 'user_id'])
    .where('app_id', '=', appId)
    .where('type', '=', type)
    .where('identifier', '=', identifier)
    .executeTakeFirst()

/** Updates the profile of the user's account. */
export async function setProfile(
  trx: Trx,
  { appId, type, identifier }: AccountKey,
  userId: string,
  profile: string,
): Promise<void> {
  await trx
    .updateTable('linked_accounts')
    .set({ profile })
    .where('app_id', '=', appId)
    .where('type', '=', type)
    .where('identifier', '=', identifier)
    .where('user_id', '=', userId)
    .execute()
}

/**
 * Joins a user with accounts, committed wallets and second factors. Returns one row per combination, with nulls if
 * there are none.
 */
export const findUserWithAccounts = compileQuery(
  (db, value: Placeholder<{ appId: string; userId: string }>) =>
    db
      .selectFrom('users')
      .leftJoin('linked_accounts as account', 'account.user_id', 'users.id')
      .leftJoin('wallets as wallet', (join) =>
        join.onRef('wallet.user_id', '=', 'users.id').on('wallet.status', '=', 'committed'),
      )
      .leftJoin('mfa_methods as mfa', (join) =>
        join.onRef('mfa.user_id', '=', 'users.id').on('mfa.status', '=', 'enrolled'),
      )
      .select(['users.id', 'users.created_at', 'users.accepted_terms_at', 'users.blocked_at'])
      .select([
        'account.id as account_id',
        'account.type',
        'account.profile',
        'account.verified_at',
        'account.first_verified_at',
        'account.latest_verified_at',
      ])
      .select([
        'wallet.kind',
        'wallet.chain_type',
        'wallet.address',
        'wallet.recovery_method',
        'wallet.created_at as wallet_created_at',
        'wallet.committed_at',
        'wallet.solana_address',
        'wallet.solana_committed_at',
      ])
      .select(['mfa.method as mfa_method', 'mfa.enrolled_at as mfa_enrolled_at'])
      .where('users.id', '=', value('userId'))
      .where('users.app_id', '=', value('appId'))
      .where('users.deleted_at', 'is', null)
      .orderBy('account.first_verified_at')
      .orderBy('account.id')
      .orderBy('wallet.chain_type')
      .orderBy('mfa.enrolled_at')
      .orderBy('mfa.method'),
)
export type UserWithAccount = Awaited<ReturnType<typeof findUserWithAccounts>>[number]

/** Records the acceptance. An earlier acceptance keeps its time. */
export async function acceptTerms(trx: Trx, userId: string, nowSeconds: number): Promise<boolean> {
  const accepted = await trx
    .updateTable('users')
    .set({ accepted_terms_at: nowSeconds })
    .where('id', '=', userId)
    .where('accepted_terms_at', 'is', null)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return accepted !== undefined
}

/**
 * Returns the id of the account that the user signed up with. Times cannot tell: another account may be linked in the
 * same second. Users of release 0.1.0 have no stored id; an account with their own time counts if it is the only one.
 */
export async function firstAccountId(reader: Reader, userId: string): Promise<string | undefined> {
  const user = await reader
    .selectFrom('users')
    .select(['created_at', 'first_account_id'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!user || user.first_account_id !== null) return user?.first_account_id ?? undefined
  const [account, another] = await reader
    .selectFrom('linked_accounts')
    .select('id')
    .where('user_id', '=', userId)
    .where('first_verified_at', '=', user.created_at)
    .limit(2)
    .execute()
  return another ? undefined : account?.id
}

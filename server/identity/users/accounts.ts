/**
 * Accounts and their owners: finds a user, creates one at the first login, and links, replaces and unlinks accounts.
 */
import {
  findLoginMethodByAccount,
  type IdentifierType,
  LatchkeyError,
  type LinkedAccountType,
  linkedAccountSchema,
  messages,
} from '@latchkey/protocol'
import * as v from 'valibot'
import type { ServerContext } from '../../kernel/context.ts'
import type { Row } from '../../kernel/db/schema.ts'
import { randomId } from '../../kernel/ids.ts'
import { nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import { type App, releasePlace, reservePlace } from '../apps/apps.ts'
import { recordAudit } from '../audit/audit.ts'
import { claimExpectedUser, findExpectedUser, insertExpectedUser } from './expected-accounts.ts'
import * as store from './store.ts'

export type NamedAccount = {
  type: LinkedAccountType
  /** Normalized: all spellings of an account have the same identifier. */
  identifier: string
}
export type ProvenAccount = NamedAccount & {
  /** The fields of the account's entity other than its type and timestamps. */
  profile: Readonly<Record<string, unknown>>
}

/** The reason why a proven account is refused. Stored as the call's result, so that the proof stays used up. */
export type AccountRefusal =
  | 'allowlist_rejected'
  | 'max_accounts_reached'
  | 'cannot_link_more_of_type'
  | 'linked_to_another_user'
type AccountRefused = { type: 'refused'; code: AccountRefusal }

/** The reason why an account was not unlinked. */
export type UnlinkRefusal = 'linked_account_not_found' | 'cannot_unlink_sole_account'

export type AccountLogin = {
  type: 'found'
  userId: string
  isNewUser: boolean
  /** The account of the login, and when it was linked. */
  account: store.OwnedAccount['account']
}
/** `again`: the user already had the account. `added` is the new row's id, `removed` the replaced row. */
export type LinkResult = {
  type: 'linked'
  again?: true
  added?: string
  removed?: LinkedRow
}
export type LinkedRow = Row<'linked_accounts'>
export type UnlinkResult = { type: 'unlinked'; removed: LinkedRow } | { type: 'refused'; code: UnlinkRefusal }
export type ReplaceResult = LinkResult | AccountRefused | { type: 'not_there'; code: UnlinkRefusal }
/** `sessionId` is null for changes without a session. */
type Owner = { appId: string; userId: string; sessionId: string | null }

export async function findOrCreateUser(
  trx: Trx,
  context: Pick<ServerContext, 'clock'>,
  app: App,
  account: ProvenAccount,
): Promise<AccountLogin | AccountRefused> {
  const now = nowSeconds(context.clock)
  const key = toKey(app.id, account)
  const toFound = (owned: store.OwnedAccount): AccountLogin => ({ type: 'found', isNewUser: false, ...owned })
  if (app.config.allowlistEnabled && !(await isListed(trx, app.id, account))) {
    return { type: 'refused', code: 'allowlist_rejected' }
  }
  const isLimited = app.maxUsers !== null
  let hasReserved = false
  if (isLimited) {
    const verify = () => store.verifyAccount(trx, key, toVerification(account, now))
    const owned = await verify()
    if (owned !== undefined) return toFound(owned)
    // A user created by an operator has a place already.
    hasReserved = (await findExpectedUser(trx, key)) === undefined
    if (hasReserved && !(await reservePlace(trx, app.id))) {
      // A concurrent login may have created this account.
      const madeMeanwhile = await verify()
      return madeMeanwhile === undefined
        ? { type: 'refused', code: 'max_accounts_reached' }
        : toFound(madeMeanwhile)
    }
  }

  const userId = `usr_${randomId()}`
  const owned = await store.verifyOrInsertAccount(trx, accountRow(app.id, userId, account, now))
  if (owned.userId !== userId) {
    if (hasReserved) await releasePlace(trx, app.id)
    return toFound(owned)
  }
  const expectedId = await claimExpectedUser(trx, key, owned.account.id)
  if (expectedId !== undefined) {
    if (hasReserved) await releasePlace(trx, app.id)
    await audit(trx, context, app.id, expectedId, 'user.created', account)
    return { type: 'found', userId: expectedId, isNewUser: true, account: owned.account }
  }
  // Another login took over the expected user meanwhile, so this one needs a place after all.
  if (isLimited && !hasReserved && !(await reservePlace(trx, app.id))) {
    await store.removeAccount(trx, owned.account.id)
    return { type: 'refused', code: 'max_accounts_reached' }
  }
  await store.insertUser(trx, {
    id: userId,
    app_id: app.id,
    created_at: now,
    accepted_terms_at: null,
    deleted_at: null,
    kept_until: null,
    first_account_id: owned.account.id,
  })
  await audit(trx, context, app.id, userId, 'user.created', account)
  return { type: 'found', isNewUser: true, ...owned }
}

/** Creates a user before their first login, which requires the proof of one of the accounts. */
export async function createExpectedUser(
  trx: Trx,
  { clock }: Pick<ServerContext, 'clock'>,
  app: Pick<App, 'id' | 'maxUsers'>,
  accounts: store.Name[],
): Promise<{ type: 'created'; userId: string } | { type: 'refused'; code: 'account_taken' | 'app_full' }> {
  if (app.maxUsers !== null && !(await reservePlace(trx, app.id)))
    return { type: 'refused', code: 'app_full' }
  const userId = await insertExpectedUser(trx, app.id, accounts, nowSeconds(clock))
  return userId === undefined ? { type: 'refused', code: 'account_taken' } : { type: 'created', userId }
}

/** Returns whether the account, or another account of its owner, is on the allowlist. */
async function isListed(trx: Trx, appId: string, account: ProvenAccount): Promise<boolean> {
  if (await store.isAnyOnAllowlist(trx, appId, getAllowlistNames(account))) return true
  const owner = await findAccountOwner(trx, appId, account)
  return owner !== undefined && isUserListed(trx, appId, owner)
}

type Listable = store.Name & Pick<ProvenAccount, 'profile'>
/** Returns the allowlist names of an account: its own, and the e-mail address that its provider verified. */
const getAllowlistNames = ({ type, identifier, profile }: Listable): readonly store.Name[] => {
  const { email, emailVerified } = profile
  const isVerified = type.endsWith('_oauth') && typeof email === 'string' && emailVerified !== false
  return [{ type, identifier }, ...(isVerified ? [{ type: 'email', identifier: email }] : [])]
}

const profileOfRow = v.record(v.string(), v.unknown())
export const getRowNames = ({ type, identifier, profile }: store.Name & { profile: string }) =>
  getAllowlistNames({ type, identifier, profile: v.parse(profileOfRow, JSON.parse(profile)) })

/**
 * Finds the user of an account that can not sign up, such as a passkey. It can not be on the allowlist itself, so
 * another account of the user must be. The stored profile stays unchanged.
 */
export async function findOwner(
  trx: Trx,
  { clock }: Pick<ServerContext, 'clock'>,
  app: App,
  userId: string,
  account: NamedAccount,
): Promise<AccountLogin | AccountRefused> {
  if (app.config.allowlistEnabled && !(await isUserListed(trx, app.id, userId))) {
    return { type: 'refused', code: 'allowlist_rejected' }
  }
  // If the user is deleted concurrently, this either waits and finds nothing, or the deletion ends the new session.
  const touched = await store.touchAccount(trx, toKey(app.id, account), nowSeconds(clock))
  if (touched === undefined) throw noSuchUser()
  return { type: 'found', userId, isNewUser: false, account: touched.account }
}

/** An e-mail address or phone number for notices. */
export type Contact = {
  by: 'mail' | 'sms'
  to: string
  /** The account id of the contact, or another source. */
  source: string
  since: number
}

/** Returns the user's e-mail addresses and login phone number. */
export const findAccountContacts = async (reader: Reader, userId: string): Promise<readonly Contact[]> =>
  (await store.findAccounts(reader, userId)).flatMap(getContacts)

export function getContacts(row: LinkedRow): readonly Contact[] {
  const { id: source, type, identifier, first_verified_at: since } = row
  if (type === 'phone') return [{ by: 'sms', to: identifier, source, since }]
  return getMailAddresses(row).map((to) => ({ by: 'mail', to, source, since }))
}

/** Returns the account's e-mail address, or the one that its provider verified. */
const getMailAddresses = (row: LinkedRow): readonly string[] =>
  getRowNames(row).flatMap(({ type, identifier }) => (type === 'email' ? [identifier] : []))

const isUserListed = async (trx: Trx, appId: string, userId: string): Promise<boolean> =>
  store.isAnyOnAllowlist(trx, appId, (await store.findAccounts(trx, userId)).flatMap(getRowNames))

/** Locks an account until the transaction ends. */
export const lockAccount = (trx: Trx, appId: string, account: NamedAccount): Promise<void> =>
  store.lockAccount(trx, toKey(appId, account))

/** Returns the profile of the user's account, or undefined. */
export async function findOwnProfile(
  trx: Trx,
  { appId, userId }: { appId: string; userId: string },
  account: NamedAccount,
): Promise<unknown> {
  const row = await store.findProfile(trx, toKey(appId, account))
  return row?.user_id === userId ? JSON.parse(row.profile) : undefined
}

/** Returns the profile of an account, regardless of its owner, or undefined. */
export async function findProfile(trx: Trx, appId: string, account: NamedAccount): Promise<unknown> {
  const row = await store.findProfile(trx, toKey(appId, account))
  return row && JSON.parse(row.profile)
}

/** Returns the ids of an account and its owner, or undefined. */
export async function findAccountWithOwner(
  reader: Reader,
  appId: string,
  account: NamedAccount,
): Promise<{ id: string; userId: string } | undefined> {
  const row = await store.findProfile(reader, toKey(appId, account))
  return row && { id: row.id, userId: row.user_id }
}

/** Returns the id of the account's owner, or undefined. */
export async function findAccountOwner(
  reader: Reader,
  appId: string,
  account: NamedAccount,
): Promise<string | undefined> {
  const row = await store.findProfile(reader, toKey(appId, account))
  return row?.user_id
}

/** Updates the profile of the user's account without a new proof. */
export async function setAccountProfile(
  trx: Trx,
  { appId, userId }: { appId: string; userId: string },
  { profile, ...account }: ProvenAccount,
): Promise<void> {
  await store.setProfile(trx, toKey(appId, account), userId, JSON.stringify(profile))
}

/** Locks the user for a decision about their accounts or methods. Throws if the user was deleted. */
export async function lockUser(trx: Trx, { userId }: { userId: string }): Promise<void> {
  if (!(await store.lockUser(trx, userId))) throw noSuchUser()
}

const noSuchUser = () => new LatchkeyError('must_be_authenticated', messages.mustBeAuthenticated)

/** Returns the identifiers of the user's accounts of this type. */
export const findOwnIdentifiers = async (
  trx: Trx,
  { userId }: { userId: string },
  type: LinkedAccountType,
): Promise<readonly string[]> =>
  (await store.findAccounts(trx, userId))
    .filter((account) => account.type === type)
    .map(({ identifier }) => identifier)

const getMaxPerUser = (type: LinkedAccountType) => findLoginMethodByAccount(type)?.maxPerUser ?? 1

/**
 * Returns whether the user may link another account of this type. `linkAccount` checks again while it holds the lock.
 */
export const canLinkType = async (
  reader: Reader,
  userId: string,
  type: LinkedAccountType,
): Promise<boolean> => (await store.countAccountsOfType(reader, userId, type)) < getMaxPerUser(type)

/** The separator between the app id or issuer of an identifier and its subject. */
const namespaceSeparators: Partial<Record<IdentifierType, string>> = { 'of an app': ':', 'of an issuer': ' ' }

/** Accounts of other apps and of OpenID providers are limited to one per app and per issuer. */
async function canLink(trx: Trx, owner: Owner, { type, identifier }: NamedAccount): Promise<boolean> {
  const separator = namespaceSeparators[findLoginMethodByAccount(type)?.identifier ?? 'none']
  if (separator === undefined) return canLinkType(trx, owner.userId, type)
  const namespace = identifier.slice(0, identifier.indexOf(separator) + 1)
  return !(await findOwnIdentifiers(trx, owner, type)).some((own) => own.startsWith(namespace))
}

/** Links an account. An account that the user already has is verified again and its profile updated. */
export async function linkAccount(
  trx: Trx,
  context: Pick<ServerContext, 'clock'>,
  owner: Owner,
  account: ProvenAccount,
): Promise<LinkResult | AccountRefused> {
  // Two concurrent links would otherwise both find room.
  await lockUser(trx, owner)
  const now = nowSeconds(context.clock)
  const isOwn = await store.verifyOwnAccount(
    trx,
    toKey(owner.appId, account),
    owner.userId,
    toVerification(account, now),
  )
  if (isOwn) return { type: 'linked', again: true }
  if (!(await canLink(trx, owner, account))) {
    return { type: 'refused', code: 'cannot_link_more_of_type' }
  }
  const row = accountRow(owner.appId, owner.userId, account, now)
  if (!(await store.insertAccount(trx, row))) return { type: 'refused', code: 'linked_to_another_user' }
  await audit(trx, context, owner.appId, owner.userId, 'user.account_linked', account, owner.sessionId)
  return { type: 'linked', added: row.id }
}

/** Locks the user and finds an account. Without the lock, two concurrent unlinks could remove the last two accounts. */
async function lockAndFind(trx: Trx, { userId }: Owner, wanted: NamedAccount) {
  await lockUser(trx, { userId })
  const accounts = await store.findAccounts(trx, userId)
  const account = accounts.find(
    ({ type, identifier }) => type === wanted.type && identifier === wanted.identifier,
  )
  return { accounts, found: account }
}

/** Replaces an account by another of the same type. The old one is removed only after the new one is inserted. */
export async function replaceAccount(
  trx: Trx,
  context: Pick<ServerContext, 'clock'>,
  owner: Owner,
  { account, replaced }: { account: ProvenAccount; replaced: string },
): Promise<ReplaceResult> {
  const { found: old } = await lockAndFind(trx, owner, { type: account.type, identifier: replaced })
  if (!old) return { type: 'not_there', code: 'linked_account_not_found' }
  if (old.identifier === account.identifier) return linkAccount(trx, context, owner, account)
  const row = accountRow(owner.appId, owner.userId, account, nowSeconds(context.clock))
  if (!(await store.insertAccount(trx, row))) return { type: 'refused', code: 'linked_to_another_user' }
  await store.removeAccount(trx, old.id)
  await audit(trx, context, owner.appId, owner.userId, 'user.account_replaced', account, owner.sessionId)
  return { type: 'linked', added: row.id, removed: old }
}

/** Restores a removed account. Returns false if another user has it now. */
export async function restoreAccount(trx: Trx, row: LinkedRow): Promise<boolean> {
  if (await store.insertAccount(trx, row)) return true
  return (await findAccountOwner(trx, row.app_id, toNamedAccount(row))) === row.user_id
}

/** Returns the user's account with this id. */
export async function accountById(
  reader: Reader,
  userId: string,
  id: string,
): Promise<(NamedAccount & { profile: string }) | undefined> {
  const row = (await store.findAccounts(reader, userId)).find((each) => each.id === id)
  return row && { ...toNamedAccount(row), profile: row.profile }
}

/** Returns whether the user has this account and no other. */
export async function isOnlyAccount(reader: Reader, userId: string, id: string): Promise<boolean> {
  const [account, another] = await store.findAccounts(reader, userId)
  return account?.id === id && another === undefined
}

const typeOfRow = v.parser(v.picklist(linkedAccountSchema.options.map(({ entries }) => entries.type.literal)))
const toNamedAccount = ({ type, identifier }: store.Name): NamedAccount => ({
  type: typeOfRow(type),
  identifier,
})

/** Unlinks an account, but never the last one, because the user could not log in again. */
export async function unlinkAccount(
  trx: Trx,
  context: Pick<ServerContext, 'clock'>,
  owner: Owner,
  account: NamedAccount,
): Promise<UnlinkResult> {
  const { accounts, found } = await lockAndFind(trx, owner, account)
  if (!found) return { type: 'refused', code: 'linked_account_not_found' }
  if (accounts.length === 1) return { type: 'refused', code: 'cannot_unlink_sole_account' }
  await store.removeAccount(trx, found.id)
  await audit(trx, context, owner.appId, owner.userId, 'user.account_unlinked', account, owner.sessionId)
  return { type: 'unlinked', removed: found }
}

export function accountRefusal(app: App, code: AccountRefusal, type: LinkedAccountType): LatchkeyError {
  switch (code) {
    case 'allowlist_rejected':
      return new LatchkeyError(code, 'This account may not log in to this app', {
        details: app.config.allowlistConfig,
      })
    case 'max_accounts_reached':
      return new LatchkeyError(code, 'This app takes no more users')
    case 'cannot_link_more_of_type':
      return new LatchkeyError(
        code,
        getMaxPerUser(type) > 1
          ? `Cannot link more ${type}s to account.`
          : messages.accountOfTypeLinked(type),
      )
    case 'linked_to_another_user':
      return new LatchkeyError(code, 'This account has already been linked to another user.')
    default:
      return code satisfies never
  }
}

export function unlinkRefusal(code: UnlinkRefusal): LatchkeyError {
  switch (code) {
    case 'linked_account_not_found':
      return new LatchkeyError(code, 'The user has no such account')
    case 'cannot_unlink_sole_account':
      return new LatchkeyError(code, 'The last account of a user can not be unlinked')
    default:
      return code satisfies never
  }
}

const toKey = (appId: string, { type, identifier }: NamedAccount): store.AccountKey => ({
  appId,
  type,
  identifier,
})

const toVerification = ({ profile }: ProvenAccount, now: number): store.Verification => ({
  profile: JSON.stringify(profile),
  nowSeconds: now,
})

const accountRow = (
  appId: string,
  userId: string,
  account: ProvenAccount,
  now: number,
): Row<'linked_accounts'> => ({
  id: randomId(),
  app_id: appId,
  user_id: userId,
  type: account.type,
  identifier: account.identifier,
  profile: JSON.stringify(account.profile),
  verified_at: now,
  first_verified_at: now,
  latest_verified_at: now,
})

const audit = (
  trx: Trx,
  context: Pick<ServerContext, 'clock'>,
  appId: string,
  userId: string,
  event: 'user.created' | 'user.account_linked' | 'user.account_unlinked' | 'user.account_replaced',
  account: NamedAccount,
  sessionId: string | null = null,
) => recordAudit(trx, context.clock, { event, appId, userId, sessionId, details: { account: account.type } })

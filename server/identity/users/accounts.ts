/** Who an account belongs to: found, made at the first login, or linked to a user who is logged in. */
import {
  findLoginMethodByAccount,
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
import { type App, givePlaceBack, takePlace } from '../apps/apps.ts'
import { recordAudit } from '../audit/audit.ts'
import * as store from './store.ts'

export type NamedAccount = {
  type: LinkedAccountType
  /** Normalized: the same account always has the same. */
  identifier: string
}
export type ProvenAccount = NamedAccount & {
  /** The fields of its entity beyond type and times. */
  profile: Readonly<Record<string, unknown>>
}

/** Why a proven account still opens nothing. Kept as the outcome of the call, so that the proof stays used up. */
export type AccountRefusal =
  | 'allowlist_rejected'
  | 'max_accounts_reached'
  | 'cannot_link_more_of_type'
  | 'linked_to_another_user'
type Refused = { type: 'refused'; code: AccountRefusal }

/** Why an account stays. */
export type UnlinkRefusal = 'linked_account_not_found' | 'cannot_unlink_sole_account'

export type Found = {
  type: 'found'
  userId: string
  isNewUser: boolean
  /** The one that it was, and when it came to its user. */
  account: store.OwnedAccount['account']
}
/** `again`: it was the user's already. `added` is the id of a row, `removed` what lay there before. */
export type Linked = {
  type: 'linked'
  again?: true
  added?: string
  removed?: LinkedRow
}
export type LinkedRow = Row<'linked_accounts'>
export type Unlinked = { type: 'unlinked'; removed: LinkedRow } | { type: 'refused'; code: UnlinkRefusal }
export type Replaced = Linked | Refused | { type: 'not_there'; code: UnlinkRefusal }
/** `sessionId`: none for what is done without one. */
type Owner = { appId: string; userId: string; sessionId: string | null }

export async function findOrCreateUser(
  trx: Trx,
  context: Pick<ServerContext, 'clock'>,
  app: App,
  account: ProvenAccount,
): Promise<Found | Refused> {
  const now = nowSeconds(context.clock)
  const key = keyOf(app.id, account)
  const found = (owned: store.OwnedAccount): Found => ({ type: 'found', isNewUser: false, ...owned })
  if (app.config.allowlistEnabled && !(await isListed(trx, app.id, account))) {
    return { type: 'refused', code: 'allowlist_rejected' }
  }
  const isLimited = app.maxUsers !== null
  if (isLimited) {
    const verify = () => store.verifyAccount(trx, key, verificationOf(account, now))
    const owned = await verify()
    if (owned !== undefined) return found(owned)
    if (!(await takePlace(trx, app.id))) {
      // Whoever had the last place may have made this very account.
      const madeMeanwhile = await verify()
      return madeMeanwhile === undefined
        ? { type: 'refused', code: 'max_accounts_reached' }
        : found(madeMeanwhile)
    }
  }

  const userId = `usr_${randomId()}`
  const owned = await store.verifyOrInsertAccount(trx, accountRow(app.id, userId, account, now))
  if (owned.userId !== userId) {
    if (isLimited) await givePlaceBack(trx, app.id)
    return found(owned)
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

/** An account is listed by itself, or by any other that its owner has. */
async function isListed(trx: Trx, appId: string, account: ProvenAccount): Promise<boolean> {
  if (await store.isAnyOnAllowlist(trx, appId, namesOf(account))) return true
  const owner = await ownerOfAccount(trx, appId, account)
  return owner !== undefined && isUserListed(trx, appId, owner)
}

type Listable = store.Name & Pick<ProvenAccount, 'profile'>
/** An account is listed by its own name, and by the e-mail address that its provider verified. */
const namesOf = ({ type, identifier, profile }: Listable): readonly store.Name[] => {
  const { email, emailVerified } = profile
  const isVerified = type.endsWith('_oauth') && typeof email === 'string' && emailVerified !== false
  return [{ type, identifier }, ...(isVerified ? [{ type: 'email', identifier: email }] : [])]
}

const profileOfRow = v.record(v.string(), v.unknown())
export const namesInRow = ({ type, identifier, profile }: store.Name & { profile: string }) =>
  namesOf({ type, identifier, profile: v.parse(profileOfRow, JSON.parse(profile)) })

/**
 * An account that makes no user is one that nobody could put on a list: its user is let in whom another account of
 * theirs would let in. What the account says stays.
 */
export async function findOwner(
  trx: Trx,
  { clock }: Pick<ServerContext, 'clock'>,
  app: App,
  userId: string,
  account: NamedAccount,
): Promise<Found | Refused> {
  if (app.config.allowlistEnabled && !(await isUserListed(trx, app.id, userId))) {
    return { type: 'refused', code: 'allowlist_rejected' }
  }
  // Of a user who is deleted meanwhile, either this waits and finds nothing, or their session is found and ended.
  const touched = await store.touchAccount(trx, keyOf(app.id, account), nowSeconds(clock))
  if (touched === undefined) throw noSuchUser()
  return { type: 'found', userId, isNewUser: false, account: touched.account }
}

/** Where they can be told something. */
export type Contact = {
  by: 'mail' | 'sms'
  to: string
  /** What it came with: the id of an account, where it is of one. */
  source: string
  since: number
}

/** Their addresses, and the number that they log in with. */
export const contactsOfAccounts = async (reader: Reader, userId: string): Promise<readonly Contact[]> =>
  (await store.accountsOfUser(reader, userId)).flatMap(contactsIn)

export function contactsIn(row: LinkedRow): readonly Contact[] {
  const { id: source, type, identifier, first_verified_at: since } = row
  if (type === 'phone') return [{ by: 'sms', to: identifier, source, since }]
  return mailAddressesIn(row).map((to) => ({ by: 'mail', to, source, since }))
}

/** The addresses of an account: itself where it is one, or what its provider verified. */
const mailAddressesIn = (row: LinkedRow): readonly string[] =>
  namesInRow(row).flatMap(({ type, identifier }) => (type === 'email' ? [identifier] : []))

const isUserListed = async (trx: Trx, appId: string, userId: string): Promise<boolean> =>
  store.isAnyOnAllowlist(trx, appId, (await store.accountsOfUser(trx, userId)).flatMap(namesInRow))

/** Nobody verifies, changes or removes the account until the transaction ends. */
export const holdAccount = (trx: Trx, appId: string, account: NamedAccount): Promise<void> =>
  store.lockAccount(trx, keyOf(appId, account))

/** What an account of this user says, or undefined. */
export async function ownAccount(
  trx: Trx,
  { appId, userId }: { appId: string; userId: string },
  account: NamedAccount,
): Promise<unknown> {
  const found = await store.profileOf(trx, keyOf(appId, account))
  return found?.user_id === userId ? JSON.parse(found.profile) : undefined
}

/** What an account says, whoever has it; undefined where nobody does. */
export async function knownAccount(trx: Trx, appId: string, account: NamedAccount): Promise<unknown> {
  const found = await store.profileOf(trx, keyOf(appId, account))
  return found && JSON.parse(found.profile)
}

/** Whoever has an account; undefined where nobody does. */
export async function ownerOfAccount(
  reader: Reader,
  appId: string,
  account: NamedAccount,
): Promise<string | undefined> {
  const found = await store.profileOf(reader, keyOf(appId, account))
  return found?.user_id
}

/** Changes what an account of this user says, without a proof of it. */
export async function describeAccount(
  trx: Trx,
  { appId, userId }: { appId: string; userId: string },
  { profile, ...account }: ProvenAccount,
): Promise<void> {
  await store.setProfile(trx, keyOf(appId, account), userId, JSON.stringify(profile))
}

/** Whoever decides by what a user has holds them meanwhile. Nothing is given to one who was deleted. */
export async function holdUser(trx: Trx, { userId }: { userId: string }): Promise<void> {
  if (!(await store.lockUser(trx, userId))) throw noSuchUser()
}

const noSuchUser = () => new LatchkeyError('must_be_authenticated', messages.mustBeAuthenticated)

/** The accounts of this type that the user has, by their identifiers. */
export const ownAccountsOf = async (
  trx: Trx,
  { userId }: { userId: string },
  type: LinkedAccountType,
): Promise<readonly string[]> =>
  (await store.accountsOfUser(trx, userId))
    .filter((account) => account.type === type)
    .map(({ identifier }) => identifier)

const mostOfType = (type: LinkedAccountType) => findLoginMethodByAccount(type)?.maxPerUser ?? 1

/** Whether the user may have one more; asked again, under the lock of the user, by `linkAccount`. */
export const hasRoomFor = async (reader: Reader, userId: string, type: LinkedAccountType): Promise<boolean> =>
  (await store.countAccountsOfType(reader, userId, type)) < mostOfType(type)

/** Of accounts at other apps a user has one for each app, with which their identifiers begin. */
async function hasRoomForAccount(
  trx: Trx,
  owner: Owner,
  { type, identifier }: NamedAccount,
): Promise<boolean> {
  if (findLoginMethodByAccount(type)?.identifier !== 'of an app') return hasRoomFor(trx, owner.userId, type)
  const app = identifier.slice(0, identifier.indexOf(':') + 1)
  return !(await ownAccountsOf(trx, owner, type)).some((own) => own.startsWith(app))
}

/** An account that the user has already is verified anew, and what it says now is kept. */
export async function linkAccount(
  trx: Trx,
  context: Pick<ServerContext, 'clock'>,
  owner: Owner,
  account: ProvenAccount,
): Promise<Linked | Refused> {
  // Two links at once would both find no account of the type.
  await holdUser(trx, owner)
  const now = nowSeconds(context.clock)
  const isOwn = await store.verifyOwnAccount(
    trx,
    keyOf(owner.appId, account),
    owner.userId,
    verificationOf(account, now),
  )
  if (isOwn) return { type: 'linked', again: true }
  if (!(await hasRoomForAccount(trx, owner, account))) {
    return { type: 'refused', code: 'cannot_link_more_of_type' }
  }
  const row = accountRow(owner.appId, owner.userId, account, now)
  if (!(await store.insertAccount(trx, row))) return { type: 'refused', code: 'linked_to_another_user' }
  await audit(trx, context, owner.appId, owner.userId, 'user.account_linked', account, owner.sessionId)
  return { type: 'linked', added: row.id }
}

/** One of a user's accounts among all of them. Two at once would each decide by what the other takes away. */
async function lockAndFind(trx: Trx, { userId }: Owner, wanted: NamedAccount) {
  await holdUser(trx, { userId })
  const accounts = await store.accountsOfUser(trx, userId)
  const found = accounts.find(
    ({ type, identifier }) => type === wanted.type && identifier === wanted.identifier,
  )
  return { accounts, found }
}

/** An account takes the place of another of its type, which goes only when the new one is there. */
export async function replaceAccount(
  trx: Trx,
  context: Pick<ServerContext, 'clock'>,
  owner: Owner,
  { account, replaced }: { account: ProvenAccount; replaced: string },
): Promise<Replaced> {
  const { found: old } = await lockAndFind(trx, owner, { type: account.type, identifier: replaced })
  if (!old) return { type: 'not_there', code: 'linked_account_not_found' }
  if (old.identifier === account.identifier) return linkAccount(trx, context, owner, account)
  const row = accountRow(owner.appId, owner.userId, account, nowSeconds(context.clock))
  if (!(await store.insertAccount(trx, row))) return { type: 'refused', code: 'linked_to_another_user' }
  await store.removeAccount(trx, old.id)
  await audit(trx, context, owner.appId, owner.userId, 'user.account_replaced', account, owner.sessionId)
  return { type: 'linked', added: row.id, removed: old }
}

/** An account that went is its user's again, as it was. False where somebody else has it by now. */
export async function restoreAccount(trx: Trx, row: LinkedRow): Promise<boolean> {
  if (await store.insertAccount(trx, row)) return true
  return (await ownerOfAccount(trx, row.app_id, namedIn(row))) === row.user_id
}

/** The account of this id, where the user has it. */
export async function accountById(
  reader: Reader,
  userId: string,
  id: string,
): Promise<(NamedAccount & { profile: string }) | undefined> {
  const row = (await store.accountsOfUser(reader, userId)).find((each) => each.id === id)
  return row && { ...namedIn(row), profile: row.profile }
}

/** Returns whether the user has this account and no other. */
export async function isOnlyAccount(reader: Reader, userId: string, id: string): Promise<boolean> {
  const [account, another] = await store.accountsOfUser(reader, userId)
  return account?.id === id && another === undefined
}

const typeOfRow = v.parser(v.picklist(linkedAccountSchema.options.map(({ entries }) => entries.type.literal)))
const namedIn = ({ type, identifier }: store.Name): NamedAccount => ({ type: typeOfRow(type), identifier })

/** Nobody's last account goes: they could not log in again. */
export async function unlinkAccount(
  trx: Trx,
  context: Pick<ServerContext, 'clock'>,
  owner: Owner,
  account: NamedAccount,
): Promise<Unlinked> {
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
        mostOfType(type) > 1 ? `Cannot link more ${type}s to account.` : messages.accountOfTypeLinked(type),
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

const keyOf = (appId: string, { type, identifier }: NamedAccount): store.AccountKey => ({
  appId,
  type,
  identifier,
})

const verificationOf = ({ profile }: ProvenAccount, now: number): store.Verification => ({
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

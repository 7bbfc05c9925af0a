/** Finds users by an identifier that an operator has: an address, a number, a wallet, an account or an id. */
import { emailAddress } from '@latchkey/protocol'
import { type SelectQueryBuilder, sql } from 'kysely'
import * as v from 'valibot'
import type { Database, Row } from '../../kernel/db/schema.ts'
import type { Reader } from '../../kernel/ports.ts'
import { AppRefusal, normalizeIdentifier } from '../apps/apps.ts'
import { getRowNames } from './accounts.ts'
import { findExpectedOwners } from './expected-accounts.ts'
import { findExternalIdOwners } from './metadata.ts'
import { contractAddress, isContractWallet, selectProviderAddress } from './migrations.ts'
import { toWalletName } from './wallet-accounts.ts'

export type FoundUser = {
  appId: string
  userId: string
  createdAt: number
  /** The time of the deletion. Afterwards only the id is stored. */
  deletedAt: number | null
  blockedAt: number | null
  /** The operator's note about the block. */
  blockReason: string | null
  acceptedTermsAt: number | null
}

export type UserReference =
  | { by: 'id'; id: string }
  | { by: 'account'; type: string; identifier: string }
  | { by: 'wallet'; address: string }
  /** The id in the operator's system: set by the Admin API, or the subject at the app's own issuer. */
  | { by: 'external'; id: string }

const typedReference = /^([a-z][a-z_]*):(.+)$/s
const ethereumAddress = /^(eip155:[1-9]\d*:)?0x[0-9a-f]{40}$/i
const base58Address = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
const phoneNumber = /^\+?\d[\d\s().-]{5,}$/

/** Normalizes the text as logins do. Throws AppRefusal for a malformed address or number. */
export function parseUserReference(text: string): UserReference {
  if (ethereumAddress.test(text) || base58Address.test(text)) return { by: 'wallet', address: text }
  const [, type = '', rest = ''] = typedReference.exec(text) ?? []
  if (type === 'wallet') return { by: 'wallet', address: normalizeWallet(rest) }
  if (type !== '') return { by: 'account', type, identifier: normalizeIdentifier(type, rest) }
  if (text.includes('@'))
    return { by: 'account', type: 'email', identifier: normalizeIdentifier('email', text) }
  const phone = phoneNumber.test(text) ? parsePhone(text) : undefined
  return phone === undefined ? { by: 'id', id: text } : { by: 'account', type: 'phone', identifier: phone }
}

/** Returns undefined for a number without a country code, which may be the id of another system. */
function parsePhone(text: string): string | undefined {
  try {
    return normalizeIdentifier('phone', text)
  } catch (error) {
    if (error instanceof AppRefusal && !text.startsWith('+')) return undefined
    throw error
  }
}

/** A Solana address has a single spelling, and the allowlist has no Solana wallets. */
const normalizeWallet = (address: string) =>
  base58Address.test(address) ? address : normalizeIdentifier('wallet', address)

export function describeReference(reference: UserReference): string {
  switch (reference.by) {
    case 'id':
      return `the id ${reference.id}`
    case 'wallet':
      return `the wallet ${reference.address}`
    case 'external':
      return `the external id ${reference.id}`
    case 'account': {
      const { type, identifier } = reference
      if (type === 'email') return `the e-mail address ${identifier}`
      return type === 'phone' ? `the phone number ${identifier}` : `the account ${type}:${identifier}`
    }
    default:
      return reference satisfies never
  }
}

/** Searches every app unless one is named. Deleted users are found by their id alone. */
export async function findUsers(
  reader: Reader,
  reference: UserReference,
  appId?: string,
): Promise<readonly FoundUser[]> {
  const ids = await findUserIds(reader, reference, appId)
  if (ids.length === 0) return []
  let query = reader
    .selectFrom('users')
    .select(foundUserColumns)
    .where('id', 'in', [...new Set(ids)])
    .orderBy('created_at')
    .orderBy('id')
  if (appId !== undefined) query = query.where('app_id', '=', appId)
  return (await query.execute()).map(toFoundUser)
}

export const foundUserColumns = [
  'app_id',
  'id',
  'created_at',
  'deleted_at',
  'blocked_at',
  'block_reason',
  'accepted_terms_at',
] as const

export const toFoundUser = (row: Pick<Row<'users'>, (typeof foundUserColumns)[number]>): FoundUser => ({
  appId: row.app_id,
  userId: row.id,
  createdAt: row.created_at,
  deletedAt: row.deleted_at,
  blockedAt: row.blocked_at,
  blockReason: row.block_reason,
  acceptedTermsAt: row.accepted_terms_at,
})

async function findUserIds(
  reader: Reader,
  reference: UserReference,
  appId: string | undefined,
): Promise<readonly string[]> {
  switch (reference.by) {
    case 'id':
      return [reference.id, ...(await findAccountOwners(reader, externalAccount(reference.id), appId))]
    case 'external':
      return [
        ...(await findAccountOwners(reader, externalAccount(reference.id), appId)),
        ...(await findExternalIdOwners(reader, reference.id, appId)),
      ]
    case 'wallet':
      return [
        ...(await findAccountOwners(reader, externalAccount(reference.address), appId)),
        ...(await findLinkedWalletOwners(reader, reference.address, appId)),
        ...(await findEmbeddedWalletOwners(reader, reference.address, appId)),
      ]
    case 'account':
      return [
        ...(await findAccountOwners(reader, reference, appId)),
        ...(await findExpectedOwners(reader, reference, appId)),
        ...(reference.type === 'email'
          ? await findProviderAddressOwners(reader, reference.identifier, appId)
          : []),
      ]
    default:
      return reference satisfies never
  }
}

/** The account of a user with this id at the app's own issuer. */
const externalAccount = (identifier: string) => ({ type: 'custom_auth', identifier }) as const

async function findAccountOwners(
  reader: Reader,
  { type, identifier }: { type: string; identifier: string },
  appId: string | undefined,
): Promise<readonly string[]> {
  const rows = await reader
    .selectFrom('linked_accounts')
    .select('user_id')
    .where('app_id', 'in', appsToSearch(reader, appId))
    .where('type', '=', type)
    .where('identifier', '=', identifier)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** A login accepts the verified address of a provider, so an operator may know a user by it alone. */
async function findProviderAddressOwners(
  reader: Reader,
  address: string,
  appId: string | undefined,
): Promise<readonly string[]> {
  const stored = selectProviderAddress(reader)
  const rows = await inApp(reader.selectFrom('linked_accounts'), appId)
    .select(['user_id', 'type', 'identifier', 'profile'])
    .where(sql<boolean>`${stored} is not null`)
    .where(stored, '=', address)
    .execute()
  const isAddress = v.pipe(emailAddress, v.literal(address))
  return rows
    .filter((row) =>
      getRowNames(row).some((name) => name.type === 'email' && v.is(isAddress, name.identifier)),
    )
    .map(({ user_id }) => user_id)
}

/** The plain address of a contract finds it on each chain. */
async function findLinkedWalletOwners(
  reader: Reader,
  address: string,
  appId: string | undefined,
): Promise<readonly string[]> {
  const name = toWalletName(address)
  const contracts = await inApp(reader.selectFrom('linked_accounts'), appId)
    .select('user_id')
    .where(isContractWallet)
    .where(contractAddress, '=', name.identifier)
    .execute()
  return [
    ...(await findAccountOwners(reader, name, appId)),
    ...contracts.map(({ user_id: userId }) => userId),
  ]
}

async function findEmbeddedWalletOwners(
  reader: Reader,
  address: string,
  appId: string | undefined,
): Promise<readonly string[]> {
  const { getAddress, isAddress } = await import('viem/utils')
  const canonical = isAddress(address, { strict: false }) ? getAddress(address) : address
  const rows = await reader
    .selectFrom('wallets')
    .select('user_id')
    .where('app_id', 'in', appsToSearch(reader, appId))
    .where(({ eb, or }) => or([eb('address', '=', canonical), eb('solana_address', '=', canonical)]))
    .where('status', '=', 'committed')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Names every app instead of none, because the indexes begin with the app. */
function appsToSearch(reader: Reader, appId: string | undefined) {
  const apps = reader.selectFrom('apps').select('id')
  return appId === undefined ? apps : apps.where('id', '=', appId)
}

const inApp = <Selected>(
  query: SelectQueryBuilder<Database, 'linked_accounts', Selected>,
  appId: string | undefined,
) => (appId === undefined ? query : query.where('app_id', '=', appId))

export type OneUserResult = { type: 'found'; user: FoundUser } | { type: 'refused'; lines: readonly string[] }

/** Resolves a reference that must name exactly one living user. */
export async function findOneUser(reader: Reader, text: string, appId?: string): Promise<OneUserResult> {
  const reference = parseUserReference(text)
  const users = await findUsers(reader, reference, appId)
  const living = users.filter(({ deletedAt }) => deletedAt === null)
  const [user, ...others] = living
  if (user !== undefined && others.length === 0) return { type: 'found', user }
  if (user !== undefined) {
    const lines = living.map((one) => `  ${one.appId}  ${one.userId}`)
    return {
      type: 'refused',
      lines: [
        `${living.length} users have ${describeReference(reference)}. Name one by its app and id:`,
        ...lines,
      ],
    }
  }
  return { type: 'refused', lines: [describeMissingUser(reference, users, appId)] }
}

export function describeMissingUser(
  reference: UserReference,
  [deleted]: readonly FoundUser[],
  appId?: string,
): string {
  if (deleted?.deletedAt) {
    const day = new Date(deleted.deletedAt * 1_000).toISOString().slice(0, 10)
    return `User ${deleted.userId} of app ${deleted.appId} was deleted on ${day}.`
  }
  return `${appId === undefined ? 'No app' : `App ${appId}`} has ${appId === undefined ? 'a' : 'no'} user with ${describeReference(reference)}.`
}

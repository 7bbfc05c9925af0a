/** The user as returned to browsers: the row, the linked accounts and the embedded wallets. */
import {
  LatchkeyError,
  type LinkedAccount,
  linkedAccountSchema,
  messages,
  type UserRecord,
} from '@latchkey/protocol'
import * as v from 'valibot'
import type { Reader } from '../../kernel/ports.ts'
import { findUserWithAccounts, type UserWithAccount } from './store.ts'
import { toWalletAccount } from './wallet-accounts.ts'

type FoundRecord = { record: UserRecord; isBlocked: boolean }

async function findRecord(reader: Reader, appId: string, userId: string): Promise<FoundRecord | undefined> {
  const rows = await findUserWithAccounts(reader, { appId, userId })
  const [user] = rows
  if (user === undefined) return undefined
  const record = {
    id: user.id,
    createdAt: user.created_at,
    linkedAccounts: [
      ...firstOfEach(rows, ({ account_id }) => account_id).flatMap(toLinkedAccount),
      ...firstOfEach(rows, ({ chain_type }) => chain_type).flatMap(toWalletAccount),
    ],
    mfaMethods: firstOfEach(rows, ({ mfa_method }) => mfa_method).flatMap(toMfaMethod),
    hasAcceptedTerms: user.accepted_terms_at !== null,
  }
  return { record, isBlocked: user.blocked_at !== null }
}

/**
 * Returns the user of a session or token. Users are never removed while they have a session. A blocked user has none
 * either, except if a server of an earlier release started it.
 */
export async function requireUser(reader: Reader, appId: string, userId: string): Promise<UserRecord> {
  const user = await findRecord(reader, appId, userId)
  if (user === undefined || user.isBlocked) {
    throw new LatchkeyError('must_be_authenticated', messages.mustBeAuthenticated)
  }
  return user.record
}

/** Returns a user for an operator, also a blocked one. */
export const findUserRecord = async (
  reader: Reader,
  appId: string,
  userId: string,
): Promise<UserRecord | undefined> => (await findRecord(reader, appId, userId))?.record

function firstOfEach(
  rows: readonly UserWithAccount[],
  getId: (row: UserWithAccount) => string | null,
): readonly UserWithAccount[] {
  const seen = new Set<string | null>()
  return rows.filter((row) => {
    const isFirst = !seen.has(getId(row))
    seen.add(getId(row))
    return isFirst
  })
}

const knownTypes: ReadonlySet<string> = new Set(
  linkedAccountSchema.options.map(({ entries }) => entries.type.literal),
)

/** Omits accounts of types that only a newer release knows. */
function toLinkedAccount(row: UserWithAccount): LinkedAccount[] {
  if (row.account_id === null || row.profile === null || row.type === null || !knownTypes.has(row.type))
    return []
  const account = {
    ...v.parse(profileSchema, JSON.parse(row.profile)),
    type: row.type,
    verifiedAt: row.verified_at,
    firstVerifiedAt: row.first_verified_at,
    latestVerifiedAt: row.latest_verified_at,
  }
  return [v.parse(linkedAccountSchema, account)]
}

const toMfaMethod = ({ mfa_method: type, mfa_enrolled_at: verifiedAt }: UserWithAccount) =>
  type === null || verifiedAt === null ? [] : [{ type, verifiedAt }]

const profileSchema = v.record(v.string(), v.unknown())

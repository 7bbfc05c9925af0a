/** The user as browsers get it: the row, the accounts, and the wallets that we keep for them. */
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
import { walletAccount } from './wallet-accounts.ts'

async function userRecord(reader: Reader, appId: string, userId: string): Promise<UserRecord | undefined> {
  const rows = await findUserWithAccounts(reader, { appId, userId })
  const [user] = rows
  if (user === undefined) return undefined
  return {
    id: user.id,
    createdAt: user.created_at,
    linkedAccounts: [
      ...firstOfEach(rows, ({ account_id }) => account_id).flatMap(linkedAccount),
      ...firstOfEach(rows, ({ chain_type }) => chain_type).flatMap(walletAccount),
    ],
    mfaMethods: firstOfEach(rows, ({ mfa_method }) => mfa_method).flatMap(mfaMethod),
    hasAcceptedTerms: user.accepted_terms_at !== null,
  }
}

/** The user of a session or token. There is one: users are never removed while they have a session. */
export async function requireUser(reader: Reader, appId: string, userId: string): Promise<UserRecord> {
  const user = await userRecord(reader, appId, userId)
  if (user === undefined) throw new LatchkeyError('must_be_authenticated', messages.mustBeAuthenticated)
  return user
}

function firstOfEach(
  rows: readonly UserWithAccount[],
  idOf: (row: UserWithAccount) => string | null,
): readonly UserWithAccount[] {
  const seen = new Set<string | null>()
  return rows.filter((row) => {
    const isFirst = !seen.has(idOf(row))
    seen.add(idOf(row))
    return isFirst
  })
}

const knownTypes: ReadonlySet<string> = new Set(
  linkedAccountSchema.options.map(({ entries }) => entries.type.literal),
)

/** An account of a type that only a newer release knows is left out: its user is there with the others. */
function linkedAccount(row: UserWithAccount): LinkedAccount[] {
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

const mfaMethod = ({ mfa_method: type, mfa_enrolled_at: verifiedAt }: UserWithAccount) =>
  type === null || verifiedAt === null ? [] : [{ type, verifiedAt }]

const profileSchema = v.record(v.string(), v.unknown())

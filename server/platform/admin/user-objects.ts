/** Users as the Admin API returns them. */
import type { AdminListedUser, AdminUser } from '@latchkey/protocol/admin'
import * as v from 'valibot'
import {
  type FoundUser,
  findAccountsByUser,
  findExpectedAccounts,
  findFactorsByUser,
  findLivingUser,
  findWalletsByUser,
  readExternalIds,
  readMetadataByUser,
} from '../../identity/users/users.ts'
import { type AdminCaller, AdminError } from '../../kernel/http/admin-endpoint.ts'
import type { Reader } from '../../kernel/ports.ts'
import { digestObject } from './calls.ts'
import { formatTime } from './pages.ts'

type Account = AdminListedUser['accounts'][number]

const profileSchema = v.object({
  name: v.fallback(v.nullish(v.string()), null),
  username: v.fallback(v.nullish(v.string()), null),
  email: v.fallback(v.nullish(v.string()), null),
})

/** Returns the users with their accounts. */
export async function describeUsers(reader: Reader, users: FoundUser[]): Promise<AdminListedUser[]> {
  const accounts = await findAccountsByUser(
    reader,
    users.map(({ userId }) => userId),
  )
  // Only a user created by an operator has no account.
  const expected = await findExpectedAccounts(
    reader,
    users.map(({ userId }) => userId).filter((userId) => !accounts.has(userId)),
  )
  return users.map((user) => ({
    id: user.userId,
    appId: user.appId,
    createdAt: formatTime(user.createdAt),
    blocked: user.blockedAt === null ? null : { at: formatTime(user.blockedAt), reason: user.blockReason },
    accounts: (accounts.get(user.userId) ?? []).map((row): Account => {
      const { name, username, email } = v.parse(profileSchema, JSON.parse(row.profile))
      return {
        type: row.type,
        identifier: row.identifier,
        name: username ?? name ?? null,
        email: email ?? null,
        firstVerifiedAt: formatTime(row.first_verified_at),
        latestVerifiedAt: formatTime(row.latest_verified_at),
      }
    }),
    expectedAccounts: (expected.get(user.userId) ?? []).map(({ type, identifier }) => ({ type, identifier })),
  }))
}

/** Returns the users with wallets and verification methods. */
export async function describeWholeUsers(reader: Reader, users: FoundUser[]): Promise<AdminUser[]> {
  const ids = users.map(({ userId }) => userId)
  if (ids.length === 0) return []
  const listed = await describeUsers(reader, users)
  const [externalIds, metadata, wallets, factors] = [
    await readExternalIds(reader, ids),
    await readMetadataByUser(reader, ids),
    await findWalletsByUser(reader, ids),
    await findFactorsByUser(reader, ids),
  ]
  return users.flatMap(({ userId, acceptedTermsAt }, index) => {
    const user = listed[index]
    if (user === undefined) return []
    return {
      ...user,
      externalId: externalIds.get(userId) ?? null,
      metadata: metadata.get(userId) ?? { public: {}, private: {} },
      hasAcceptedTerms: acceptedTermsAt !== null,
      wallets: (wallets.get(userId) ?? []).flatMap((wallet) => {
        const own = {
          address: wallet.address ?? '',
          chainType: wallet.chain_type,
          recoveryMethod: wallet.recovery_method,
          imported: wallet.kind === 'imported-key',
          createdAt: formatTime(wallet.committed_at ?? wallet.created_at),
        }
        const { solana_address: address, solana_committed_at: addedAt } = wallet
        if (address === null || addedAt === null) return [own]
        return [own, { ...own, address, chainType: 'solana' as const, createdAt: formatTime(addedAt) }]
      }),
      factors: (factors.get(userId) ?? []).flatMap(({ method: type, enrolled_at: enrolledAt }) =>
        enrolledAt === null ? [] : { type, enrolledAt: formatTime(enrolledAt) },
      ),
    }
  })
}

/** Returns a user with wallets and verification methods, and the digest of this object. */
export async function describeUser(
  reader: Reader,
  appId: string,
  userId: string,
): Promise<{ user: AdminUser; digest: string }> {
  const living = await findLivingUser(reader, appId, userId)
  const [user] = living ? await describeWholeUsers(reader, [living]) : []
  if (user === undefined) throw userNotFound(userId)
  return { user, digest: digestObject(user) }
}

export const userNotFound = (userId: string) =>
  new AdminError('user_not_found', `The app has no user ${userId}`)

/** Masks addresses, numbers and names unless the key may read them. */
export function maskUser<User extends AdminListedUser>({ scopes }: AdminCaller, user: User): User {
  if (scopes.includes('users:read')) return user
  const accounts = user.accounts.map((account) => ({
    ...account,
    identifier: maskIdentifier(account),
    name: null,
    email: account.email === null ? null : maskEmail(account.email),
  }))
  const expectedAccounts = user.expectedAccounts.map(({ type, identifier }) => ({
    type,
    identifier: maskIdentifier({ type, identifier }),
  }))
  return { ...user, accounts, expectedAccounts }
}

function maskIdentifier({ type, identifier }: Pick<Account, 'type' | 'identifier'>): string {
  if (type === 'email') return maskEmail(identifier)
  return type === 'phone' ? `•••${identifier.slice(-2)}` : identifier
}

function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return at < 1 ? '•••' : `${email.slice(0, 1)}•••${email.slice(at)}`
}

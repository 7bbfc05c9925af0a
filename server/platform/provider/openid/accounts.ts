/** Returns the id token claims that the user's consent allows. */
import { getChainType, type UserRecord } from '@latchkey/protocol'
import type { Account, AccountClaims } from 'oidc-provider'
import { findBlock, isUser, requireUser } from '../../../identity/users/users.ts'
import type { ServerContext } from '../../../kernel/context.ts'
import type { App } from '../../../kernel/ports.ts'
import { findActiveRow } from '../connections.ts'

/** The claims of each scope. `oidc-provider` filters by them. */
export const claimsByScope = {
  openid: ['sub'],
  profile: ['name', 'email'],
  'wallet.read': ['wallets'],
} as const satisfies Record<string, readonly string[]>

/**
 * Finds the account. Returns undefined for a deleted or blocked user or an ended connection, so that no token is issued.
 */
export async function findAccount(
  { db }: Pick<ServerContext, 'db'>,
  { id: appId }: Pick<App, 'id'>,
  userId: string,
  clientId: string | undefined,
): Promise<Account | undefined> {
  if (clientId === undefined || !(await isUser(db, appId, userId))) return undefined
  if ((await findBlock(db, userId)) !== null) return undefined
  const connection = await findActiveRow(db, { appId, userId, clientId })
  if (!connection) return undefined
  const { address } = connection
  return {
    accountId: userId,
    async claims(): Promise<AccountClaims> {
      return {
        sub: userId,
        ...getProfile(await requireUser(db, appId, userId)),
        wallets: [{ address, chain_type: getChainType(address) }],
      }
    },
  }
}

/** Returns the e-mail address of a login, or else one that a provider verified, and a name. */
function getProfile({ linkedAccounts }: UserRecord): { name?: string; email?: string } {
  const own = linkedAccounts.flatMap((account) => (account.type === 'email' ? [account.address] : []))
  const verified = linkedAccounts.flatMap((account) =>
    'email' in account && typeof account.email === 'string' && isVerified(account) ? [account.email] : [],
  )
  const names = linkedAccounts.flatMap((account) =>
    'name' in account && typeof account.name === 'string' ? [account.name] : [],
  )
  const [email] = [...own, ...verified]
  const [name] = names
  return { ...(name !== undefined && { name }), ...(email !== undefined && { email }) }
}

const isVerified = (account: object) => !('emailVerified' in account && account.emailVerified === false)

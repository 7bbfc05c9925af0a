/** What an app is told about a user in its id token: what the scopes say that the user allowed. */
import { getChainType, type UserRecord } from '@latchkey/protocol'
import type { Account, AccountClaims } from 'oidc-provider'
import { isUser, requireUser } from '../../../identity/users/users.ts'
import type { ServerContext } from '../../../kernel/context.ts'
import type { App } from '../../../kernel/ports.ts'
import { livingRow } from '../connections.ts'

/** The claims of each scope, by which `oidc-provider` filters them. */
export const claimsByScope = {
  openid: ['sub'],
  profile: ['name', 'email'],
  'wallet.read': ['wallets'],
} as const satisfies Record<string, readonly string[]>

/** Undefined where the user is gone, or the connection was ended: then no token is given. */
export async function accountOf(
  { db }: Pick<ServerContext, 'db'>,
  { id: appId }: Pick<App, 'id'>,
  userId: string,
  clientId: string | undefined,
): Promise<Account | undefined> {
  if (clientId === undefined || !(await isUser(db, appId, userId))) return undefined
  const connection = await livingRow(db, { appId, userId, clientId })
  if (!connection) return undefined
  const { address } = connection
  return {
    accountId: userId,
    async claims(): Promise<AccountClaims> {
      return {
        sub: userId,
        ...profileOf(await requireUser(db, appId, userId)),
        wallets: [{ address, chain_type: getChainType(address) }],
      }
    },
  }
}

/** An address of e-mail that the user logs in with, else one that a provider verified. */
function profileOf({ linkedAccounts }: UserRecord): { name?: string; email?: string } {
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

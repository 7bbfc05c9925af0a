/** What every login answers: the user, the tokens of the session, and the first step of a vault that waits. */
import type { AuthAnswer } from '@latchkey/protocol/api'
import type { NamedVaultKey } from '@latchkey/protocol/wallet'
import type { ServerContext } from '../context.ts'
import type { Call } from '../http/endpoint.ts'
import { type Grant, grantAnswer } from '../sessions/sessions.ts'
import { walletTokenOfLogin } from '../wallets/wallets.ts'

export type LoginCall = Pick<Call, 'app' | 'c' | 'proof' | 'language'> & {
  readonly body: { readonly vault?: NamedVaultKey }
}

export async function authAnswer(
  call: LoginCall,
  context: ServerContext,
  grant: Grant,
  isNewUser: boolean,
): Promise<AuthAnswer> {
  const answer = await grantAnswer(call, context, grant)
  const { vault } = call.body
  const walletToken = vault && (await walletTokenOfLogin(context, call, grant.sessionId, answer.user, vault))
  return { ...answer, isNewUser, ...(walletToken && { walletToken }) }
}

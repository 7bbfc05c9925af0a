/** What every login answers: the user, the tokens of the session, and the first step of a vault that waits. */
import type { AuthAnswer } from '@latchkey/protocol/api'
import type { NamedVaultKey } from '@latchkey/protocol/wallet'
import type { ServerContext } from '../context.ts'
import type { Call } from '../http/endpoint.ts'
import { isOfStep } from '../http/statement.ts'
import { noticesAtLogin } from '../notices/notices.ts'
import { deviceSecretOf, type Grant, grantedSession } from '../sessions/sessions.ts'
import { walletTokenOfLogin } from '../wallets/wallets.ts'

export type LoginCall = Pick<Call, 'app' | 'c' | 'proof' | 'statement' | 'language'> & {
  readonly body: { readonly vault?: NamedVaultKey }
}

export async function authAnswer(
  call: LoginCall,
  context: ServerContext,
  grant: Grant,
  isNewUser: boolean,
): Promise<AuthAnswer> {
  const { session, answer: granted } = await grantedSession(call, context, grant)
  const asked = { app: call.app, userId: session.user_id, sessionId: session.id }
  const notices = isNewUser ? [] : await noticesAtLogin(context.db, context, asked)
  const answer = { ...granted, ...(notices.length > 0 && { hasNotices: true as const }) }
  if (session.device === null) {
    return { ...answer, isNewUser, deviceSecret: deviceSecretOf(context, session) }
  }
  const { vault } = call.body
  const stated = call.statement()
  const isStated = vault && stated?.device === session.device && isOfStep(stated, vault)
  const step = isStated && { ...vault, device: session.device }
  const walletToken = step && (await walletTokenOfLogin(context, call, session.id, answer.user, step))
  return { ...answer, isNewUser, ...(walletToken && { walletToken }) }
}

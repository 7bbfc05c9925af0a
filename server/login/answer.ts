/** What every login answers: the user, the tokens of the session, and the first step of a vault that waits. */
import type { AuthAnswer } from '@latchkey/protocol/api'
import type { NamedVaultKey } from '@latchkey/protocol/wallet'
import { noticesAtLogin } from '../identity/notices/notices.ts'
import { deviceSecretOf, type Grant, grantedSession } from '../identity/sessions/sessions.ts'
import type { ServerContext } from '../kernel/context.ts'
import type { Call } from '../kernel/http/endpoint.ts'
import { isOfStep } from '../kernel/http/statement.ts'
import { walletTokenOfLogin } from '../wallet/wallets/wallets.ts'

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

import type { MfaMethodType } from '@latchkey/protocol'
import { recordAudit } from '../../identity/audit/audit.ts'
import { endUserSessions } from '../../identity/sessions/sessions.ts'
import { lockUser } from '../../identity/users/users.ts'
import { type Clock, nowSeconds, type Trx } from '../../kernel/ports.ts'
import { endMethod } from './end-method.ts'
import { enrolledMethods } from './store.ts'

/**
 * Removes all second factors of a user after their loss, and ends the user's sessions. The operator must identify the
 * user by other means.
 */
export async function resetMethods(
  trx: Trx,
  { clock }: { clock: Clock },
  owner: { appId: string; userId: string },
): Promise<{ methods: readonly MfaMethodType[]; sessions: number }> {
  await lockUser(trx, owner)
  const methods = await enrolledMethods(trx, owner.userId)
  for (const method of methods) await endMethod(trx, owner, method)
  // An attacker with an open session could otherwise enrol their own method first.
  const sessions = await endUserSessions(trx, owner, nowSeconds(clock))
  await recordAudit(trx, clock, {
    event: 'mfa.reset_by_operator',
    ...owner,
    sessionId: null,
    details: { methods: methods.join(' '), sessions },
  })
  return { methods, sessions }
}

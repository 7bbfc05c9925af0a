/**
 * Deletes a user in one transaction: first the accounts, which concurrent logins also lock, then the rows of every
 * capability. Only the id with two times and the audit entries remain.
 */
import { releasePlace } from '../../identity/apps/apps.ts'
import { recordAudit } from '../../identity/audit/audit.ts'
import { lockUser } from '../../identity/users/users.ts'
import type { Clock, Forget, Trx } from '../../kernel/ports.ts'
import { nowSeconds } from '../../kernel/ports.ts'
import * as store from './store.ts'

export type Leaving = {
  appId: string
  userId: string
  /** Null if an operator deletes the user. */
  sessionId: string | null
  verified: string | null
}

/** Deletes the user and returns their e-mail addresses for the notification. Throws for a deleted user. */
export async function deleteUser(
  trx: Trx,
  { clock, forget }: { clock: Clock; forget: Forget },
  { appId, userId, sessionId, verified }: Leaving,
): Promise<string[]> {
  await lockUser(trx, { userId })
  const now = nowSeconds(clock)
  const accounts = await store.getAccounts(trx, userId)
  const identifiers = accounts.map(({ identifier }) => identifier)
  await forget(trx, { appId, userId, identifiers, nowSeconds: now })
  await store.emptyUser(trx, { appId, userId, nowSeconds: now })
  await releasePlace(trx, appId)
  await recordAudit(trx, clock, {
    event: 'user.deleted',
    appId,
    userId,
    sessionId,
    details: { by: sessionId === null ? 'operator' : 'user', verified },
  })
  return accounts.filter(({ type }) => type === 'email').map(({ identifier }) => identifier)
}

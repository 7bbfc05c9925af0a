/**
 * A user goes, in one transaction: first their accounts, which whoever logs in meanwhile holds too, then all that every
 * capability has of them. What is left is a row of an id and two times, and what was written down under the id.
 */
import { givePlaceBack } from '../../identity/apps/apps.ts'
import { recordAudit } from '../../identity/audit/audit.ts'
import { holdUser } from '../../identity/users/users.ts'
import type { Clock, Forget, Trx } from '../../kernel/ports.ts'
import { nowSeconds } from '../../kernel/ports.ts'
import * as store from './store.ts'

export type Leaving = {
  appId: string
  userId: string
  /** Null where an operator deletes. */
  sessionId: string | null
  verified: string | null
}

/** Where their mail goes, which nobody knows afterwards. Throws for a user who was deleted. */
export async function deleteUser(
  trx: Trx,
  { clock, forget }: { clock: Clock; forget: Forget },
  { appId, userId, sessionId, verified }: Leaving,
): Promise<readonly string[]> {
  await holdUser(trx, { userId })
  const now = nowSeconds(clock)
  const accounts = await store.getAccounts(trx, userId)
  const identifiers = accounts.map(({ identifier }) => identifier)
  await forget(trx, { appId, userId, identifiers, nowSeconds: now })
  await store.emptyUser(trx, { appId, userId, nowSeconds: now })
  await givePlaceBack(trx, appId)
  await recordAudit(trx, clock, {
    event: 'user.deleted',
    appId,
    userId,
    sessionId,
    details: { by: sessionId === null ? 'operator' : 'user', verified },
  })
  return accounts.filter(({ type }) => type === 'email').map(({ identifier }) => identifier)
}

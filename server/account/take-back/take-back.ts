/** Reverts a change of login methods or second factors through the link in the notification mail. */
import { recordAudit } from '../../identity/audit/audit.ts'
import {
  type Change,
  findTakeBack,
  type TakeBack as Link,
  useTakeBack,
} from '../../identity/new-methods/new-methods.ts'
import { endUserSessions } from '../../identity/sessions/sessions.ts'
import {
  accountById,
  isOnlyAccount,
  lockUser,
  restoreAccount,
  unlinkAccount,
} from '../../identity/users/users.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import { forgetPasskey } from '../../login/passkey/passkey.ts'
import { endMethod, endPasskeyMethodIfUnused } from '../verification/verification.ts'

/** `last way in`: the link stays valid, and works after the user has linked another login method. */
export type TakenBack = 'taken back' | 'last way in' | 'address of another' | 'over'

type Owner = { appId: string; userId: string; sessionId: string | null }

/** Reverts the change. Always ends every session, because the attacker may hold one. */
export async function takeBack(trx: Trx, context: ServerContext, secret: string): Promise<TakenBack> {
  const link = await findTakeBack(trx, context, secret)
  if (!link) return 'over'
  await lockUser(trx, link)
  // A concurrent call may have used the link before the lock.
  if (!(await findTakeBack(trx, context, secret))) return 'over'
  const { appId, userId, change } = link
  const outcome = await undoChange(trx, context, { appId, userId, sessionId: null }, change)
  if (outcome === 'taken back') await useTakeBack(trx, context, secret)
  return outcome
}

/** Whether reverting would remove the user's only account. */
export async function removesLastWayIn(
  reader: Reader,
  { userId, change }: Pick<Link, 'userId' | 'change'>,
): Promise<boolean> {
  if (change.kind !== 'account' || change.added === null || change.removed !== null) return false
  return isOnlyAccount(reader, userId, change.added)
}

/** Reverts the change and ends all sessions. The caller has locked the user. */
export async function undoChange(
  trx: Trx,
  context: ServerContext,
  owner: Owner,
  change: Change,
): Promise<TakenBack> {
  const sessions = await endUserSessions(trx, owner, nowSeconds(context.clock))
  const outcome = await undo(trx, context, owner, change)
  await recordAudit(trx, context.clock, {
    ...owner,
    event: 'user.change_taken_back',
    details: { kind: change.kind, outcome, sessions },
  })
  return outcome
}

async function undo(trx: Trx, context: ServerContext, owner: Owner, change: Change): Promise<TakenBack> {
  if (change.kind === 'factor') {
    await endMethod(trx, owner, change.method)
    return 'taken back'
  }
  const { added, removed } = change
  if (removed && !(await restoreAccount(trx, removed))) return 'address of another'
  const account = added === null ? undefined : await accountById(trx, owner.userId, added)
  if (!account) return 'taken back'
  const { type, identifier } = account
  if ((await unlinkAccount(trx, context, owner, { type, identifier })).type === 'refused')
    return 'last way in'
  if (type === 'passkey') {
    await forgetPasskey(trx, owner.appId, identifier)
    await endPasskeyMethodIfUnused(trx, owner)
  }
  return 'taken back'
}

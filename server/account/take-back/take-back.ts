/** Takes a change of somebody's methods back, for whoever has the link that they were mailed with it. */
import { recordAudit } from '../../identity/audit/audit.ts'
import {
  type Change,
  findTakeBack,
  type TakeBack as Link,
  useTakeBack,
} from '../../identity/new-methods/new-methods.ts'
import { endSessionsOf } from '../../identity/sessions/sessions.ts'
import {
  accountById,
  holdUser,
  isOnlyAccount,
  restoreAccount,
  unlinkAccount,
} from '../../identity/users/users.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import { forgetPasskey } from '../../login/passkey/passkey.ts'
import { endMethod, endPasskeysWithNone } from '../verification/verification.ts'

/** `last way in`: the link stays good, and works once its user has another one. */
export type TakenBack = 'taken back' | 'last way in' | 'address of another' | 'over'

type Owner = { appId: string; userId: string; sessionId: string | null }

/** Every session of the user ends, whatever becomes of it: who made the change has one of them. */
export async function takeBack(trx: Trx, context: ServerContext, secret: string): Promise<TakenBack> {
  const found = await findTakeBack(trx, context, secret)
  if (!found) return 'over'
  await holdUser(trx, found)
  // Of two at once the second finds it used.
  if (!(await findTakeBack(trx, context, secret))) return 'over'
  const { appId, userId, change } = found
  const outcome = await undoChange(trx, context, { appId, userId, sessionId: null }, change)
  if (outcome === 'taken back') await useTakeBack(trx, context, secret)
  return outcome
}

/** Returns whether a link would remove the only account of its user, so that it waits for another link. */
export async function removesLastWayIn(
  reader: Reader,
  { userId, change }: Pick<Link, 'userId' | 'change'>,
): Promise<boolean> {
  if (change.kind !== 'account' || change.added === null || change.removed !== null) return false
  return isOnlyAccount(reader, userId, change.added)
}

/** Under the hold of its user, whose sessions all end. */
export async function undoChange(
  trx: Trx,
  context: ServerContext,
  owner: Owner,
  change: Change,
): Promise<TakenBack> {
  const sessions = await endSessionsOf(trx, owner, nowSeconds(context.clock))
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
    await endPasskeysWithNone(trx, owner)
  }
  return 'taken back'
}

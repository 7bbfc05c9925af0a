/** Taking an account away from its user, who must keep one to log in with. */
import { LatchkeyError, type LinkedAccountType } from '@latchkey/protocol'
import { recordAudit } from '../audit/audit.ts'
import type { ServerContext } from '../context.ts'
import type { Trx } from '../ports.ts'
import * as store from './store.ts'

export type UnlinkRefusal = 'linked_account_not_found' | 'cannot_unlink_sole_account'
export type Unlinked =
  | { readonly type: 'unlinked' }
  | { readonly type: 'refused'; readonly code: UnlinkRefusal }

export async function unlinkAccount(
  trx: Trx,
  context: Pick<ServerContext, 'clock'>,
  owner: { readonly appId: string; readonly userId: string; readonly sessionId: string },
  account: { readonly type: LinkedAccountType; readonly identifier: string },
): Promise<Unlinked> {
  const { appId, userId, sessionId } = owner
  const key = { appId, ...account }
  // Of two that are taken away at once, neither would be the last.
  await store.lockUser(trx, userId)
  if (!(await store.hasAccount(trx, key, userId)))
    return { type: 'refused', code: 'linked_account_not_found' }
  if ((await store.countAccounts(trx, userId)) <= 1) {
    return { type: 'refused', code: 'cannot_unlink_sole_account' }
  }
  await store.deleteAccount(trx, key)
  await recordAudit(trx, context.clock, {
    event: 'user.account_unlinked',
    appId,
    userId,
    sessionId,
    details: { account: account.type },
  })
  return { type: 'unlinked' }
}

export function unlinkRefusal(code: UnlinkRefusal): LatchkeyError {
  switch (code) {
    case 'linked_account_not_found':
      return new LatchkeyError(code, 'The user has no such account')
    case 'cannot_unlink_sole_account':
      return new LatchkeyError(code, 'This is the only account of the user, who could not log in without it')
    default:
      return code satisfies never
  }
}

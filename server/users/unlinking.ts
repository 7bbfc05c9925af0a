/** An account that its user gives up. */
import { LatchkeyError } from '@latchkey/protocol'
import { recordAudit } from '../audit/audit.ts'
import type { ServerContext } from '../context.ts'
import type { Trx } from '../ports.ts'
import type { ProvenAccount } from './accounts.ts'
import * as store from './store.ts'

export type UnlinkOutcome =
  | { readonly type: 'unlinked' }
  | { readonly type: 'refused'; readonly code: keyof typeof refusals }

const refusals = {
  linked_account_not_found: 'The user has no such account',
  cannot_unlink_sole_account: 'This is the only account of the user, who could not log in any more',
} as const

export async function unlinkAccount(
  trx: Trx,
  { clock }: Pick<ServerContext, 'clock'>,
  owner: { readonly appId: string; readonly userId: string; readonly sessionId: string },
  { type, identifier }: Pick<ProvenAccount, 'type' | 'identifier'>,
): Promise<UnlinkOutcome> {
  const { appId, userId, sessionId } = owner
  // Two that go at once would both find that the other one stays.
  await store.lockUser(trx, userId)
  const accounts = await store.countAccounts(trx, userId)
  const key = { appId, type, identifier }
  if ((await store.ownProfile(trx, key, userId)) === undefined) {
    return { type: 'refused', code: 'linked_account_not_found' }
  }
  if (accounts === 1) return { type: 'refused', code: 'cannot_unlink_sole_account' }
  await store.removeAccount(trx, key)
  await recordAudit(trx, clock, {
    event: 'user.account_unlinked',
    appId,
    userId,
    sessionId,
    details: { account: type },
  })
  return { type: 'unlinked' }
}

export const unlinkRefusal = (code: keyof typeof refusals) => new LatchkeyError(code, refusals[code])

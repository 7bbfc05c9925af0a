/** Blocks users for operators: a blocked user has no session and cannot log in. */
import { recordAudit } from '../../identity/audit/audit.ts'
import { endUserSessions } from '../../identity/sessions/sessions.ts'
import { findBlock, lockAccounts, lockUser, setBlock } from '../../identity/users/users.ts'
import { type Clock, nowSeconds, type Trx } from '../../kernel/ports.ts'

type Owner = { appId: string; userId: string }

/** Blocks a user and ends their sessions. Returns how many were alive, or undefined if the user is blocked already. */
export async function blockUser(
  trx: Trx,
  { clock }: { clock: Clock },
  owner: Owner,
  reason: string | null,
): Promise<number | undefined> {
  await lockUser(trx, owner)
  if ((await findBlock(trx, owner.userId)) !== null) return undefined
  // A concurrent login holds the lock of its account. It either ends before this, or sees the block.
  await lockAccounts(trx, owner.userId)
  const now = nowSeconds(clock)
  await setBlock(trx, owner.userId, { at: now, reason })
  const sessions = await endUserSessions(trx, owner, now)
  await recordAudit(trx, clock, {
    event: 'user.blocked_by_operator',
    ...owner,
    sessionId: null,
    details: { sessions },
  })
  return sessions
}

/** Returns false if the user is not blocked. */
export async function unblockUser(trx: Trx, { clock }: { clock: Clock }, owner: Owner): Promise<boolean> {
  await lockUser(trx, owner)
  if ((await findBlock(trx, owner.userId)) === null) return false
  await setBlock(trx, owner.userId, null)
  await recordAudit(trx, clock, {
    event: 'user.unblocked_by_operator',
    ...owner,
    sessionId: null,
    details: {},
  })
  return true
}

/** The way back for a user who lost every method: through an operator, who knows by other means that it is them. */

import { recordAudit } from '../../identity/audit/audit.ts'
import { endSessionsOf } from '../../identity/sessions/sessions.ts'
import { holdUser, isUserOf } from '../../identity/users/users.ts'
import type { AppCommand } from '../../kernel/capability.ts'
import { withTransaction } from '../../kernel/db/transaction.ts'
import { nowSeconds } from '../../kernel/ports.ts'
import { endMethod } from './end-method.ts'
import { enrolledMethods } from './verification.ts'

const usage =
  'mfa-reset <id> <user id>            removes every verification method of a user who lost them, and ends their sessions'

export const mfaResetCommand: AppCommand = {
  name: 'mfa-reset',
  usage,
  async run(appId, [userId], db, _, { clock }) {
    if (userId === undefined) return { type: 'refused', lines: [usage] }
    const removed = await withTransaction(db, async (trx) => {
      const owner = { appId, userId }
      if (!(await isUserOf(trx, appId, userId))) return undefined
      await holdUser(trx, { userId })
      const methods = await enrolledMethods(trx, userId)
      for (const method of methods) await endMethod(trx, owner, method)
      // Whoever has one of them could enrol a method of their own before the user is back.
      const sessions = await endSessionsOf(trx, owner, nowSeconds(clock))
      await recordAudit(trx, clock, {
        event: 'mfa.reset_by_operator',
        appId,
        userId,
        sessionId: null,
        details: { methods: methods.join(' '), sessions },
      })
      return methods
    })
    if (removed === undefined) return { type: 'refused', lines: [`App ${appId} has no user ${userId}.`] }
    return { type: 'done', lines: [`Removed from ${userId}: ${removed.join(', ') || 'no methods'}.`] }
  },
}

/** The way back for a user who lost every method: through an operator, who knows by other means that it is them. */

import { recordAudit } from '../audit/audit.ts'
import type { AppCommand } from '../capability.ts'
import { withTransaction } from '../db/transaction.ts'
import { setEnrolled } from '../login/passkey/passkey.ts'
import { holdUser, isUserOf, ownAccountsOf } from '../users/users.ts'
import { enrolledMethods } from '../verification/verification.ts'
import { removeMethod } from './store.ts'

const usage = 'mfa-reset <id> <user id>          takes every verification method from a user who lost them'

export const mfaResetCommand: AppCommand = {
  name: 'mfa-reset',
  usage,
  async run(appId, [userId], db) {
    if (userId === undefined) return { type: 'refused', lines: [usage] }
    const removed = await withTransaction(db, async (trx) => {
      const owner = { appId, userId }
      if (!(await isUserOf(trx, appId, userId))) return undefined
      await holdUser(trx, { userId })
      const methods = await enrolledMethods(trx, userId)
      for (const method of methods) await removeMethod(trx, userId, method)
      for (const id of await ownAccountsOf(trx, owner, 'passkey')) await setEnrolled(trx, owner, id, false)
      await recordAudit(
        trx,
        { nowMs: Date.now },
        {
          event: 'mfa.reset_by_operator',
          appId,
          userId,
          sessionId: null,
          details: { methods: methods.join(' ') },
        },
      )
      return methods
    })
    if (removed === undefined) return { type: 'refused', lines: [`App ${appId} has no user ${userId}`] }
    return { type: 'done', lines: [`Removed from ${userId}: ${removed.join(', ') || 'nothing'}`] }
  },
}

/** The operator deletes a user who asks for it, or who can not verify any more. */

import { isUserOf } from '../../identity/users/users.ts'
import type { AppCommand } from '../../kernel/capability.ts'
import { withTransaction } from '../../kernel/db/transaction.ts'
import { deleteUser } from './deletion.ts'

const usage =
  'delete-user <id> <user id>          deletes a user and their wallets for good, without sending a mail'

export const deleteUserCommand: AppCommand = {
  name: 'delete-user',
  usage,
  async run(appId, [userId], db, forget, { clock }) {
    if (userId === undefined) return { type: 'refused', lines: [usage] }
    const isDeleted = await withTransaction(db, async (trx) => {
      if (!(await isUserOf(trx, appId, userId))) return false
      await deleteUser(trx, { clock, forget }, { appId, userId, sessionId: null, verified: null })
      return true
    })
    if (!isDeleted) return { type: 'refused', lines: [`App ${appId} has no user ${userId}.`] }
    return { type: 'done', lines: [`Deleted user ${userId} and their wallets.`] }
  },
}

import { parseArgs } from 'node:util'
import { accountDeletionRoutes } from '@latchkey/protocol/api'
import { readTexts } from '@latchkey/protocol/texts/at-start'
import { requireOlderMethod } from '../../identity/new-methods/new-methods.ts'
import { requireLivingSession } from '../../identity/sessions/sessions.ts'
import { findAccounts, findOneUser, isUser, lockUser } from '../../identity/users/users.ts'
import { type Notice, sendNotice } from '../../integrations/mail/mail.ts'
import type { AppCommand, Capability } from '../../kernel/capability.ts'
import type { CommandSpec } from '../../kernel/command-spec.ts'
import { withTransaction } from '../../kernel/db/transaction.ts'
import { type Endpoint, replayedEndpoint } from '../../kernel/http/endpoint.ts'
import { consumeConfirmation } from '../../wallet/confirm/confirm.ts'
import { consumeVerification } from '../verification/verification.ts'
import { deleteUser } from './deletion.ts'
import { overdueUsers } from './store.ts'
import type { Texts } from './texts.arb'

const spec = {
  summary: 'deletes a user and their wallets for good, without sending a mail',
  arguments: '<id> <user>',
  options: { yes: { type: 'boolean', meaning: 'does not ask for confirmation' } },
} as const satisfies CommandSpec

/** Deletes a user on request, or a user without a working second factor. */
export const deleteUserCommand: AppCommand = {
  name: 'delete-user',
  spec,
  async run(appId, args, db, forget, { clock, confirm }) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: spec.options,
    })
    const [reference, ...more] = positionals
    if (reference === undefined || more.length > 0) return { type: 'misused', lines: [] }
    const match = await findOneUser(db, reference, appId)
    if (match.type === 'refused') return match
    const { userId } = match.user
    if (!values.yes) {
      const names = (await findAccounts(db, userId)).map(({ type, identifier }) => `${type}:${identifier}`)
      const answer = await confirm(
        `This deletes user ${userId} of app ${appId} (${names.join(', ')}) and their wallets for good.`,
      )
      if (answer === 'no terminal') {
        return {
          type: 'refused',
          lines: ['Nothing is deleted: there is no terminal to confirm at. Add --yes.'],
        }
      }
      if (answer === 'no') return { type: 'refused', lines: ['Nothing is deleted.'] }
    }
    const isDeleted = await withTransaction(db, async (trx) => {
      if (!(await isUser(trx, appId, userId))) return false
      await deleteUser(trx, { clock, forget }, { appId, userId, sessionId: null, verified: null })
      return true
    })
    if (!isDeleted) return { type: 'refused', lines: [`App ${appId} has no user with the id ${userId}.`] }
    return { type: 'done', lines: [`Deleted user ${userId} and their wallets.`] }
  },
}

/** The mail about a deleted account. No later mail goes to this address. */
const deletionNotice: Notice = readTexts<Texts>(import.meta.dirname)

const accountDeletionEndpoints: readonly Endpoint[] = [
  replayedEndpoint(accountDeletionRoutes.deleteAccount, {
    async decide(trx, { app, caller, body }, context) {
      const { clock, capabilities } = context
      // The token of an ended session is accepted only to repeat a lost response.
      await requireLivingSession(trx, { clock }, caller.sessionId)
      await lockUser(trx, caller)
      await consumeConfirmation(trx, context, app, caller)
      const by = await consumeVerification(trx, { clock }, caller, body.mfaToken)
      await requireOlderMethod(trx, context, { app, caller, verifiedBy: by })
      const verified = by ?? null
      const { appId, userId, sessionId } = caller
      const { forget } = capabilities
      return { tellAt: await deleteUser(trx, { clock, forget }, { appId, userId, sessionId, verified }) }
    },
    async perform({ tellAt }, call, context) {
      await sendNotice(context, tellAt, call, deletionNotice)
    },
    render: () => ({ success: true }) as const,
  }),
]

export const accountDeletion: Capability = {
  name: 'account-deletion',
  endpoints: accountDeletionEndpoints,
  appCommands: [deleteUserCommand],
  expiryRules: [overdueUsers],
}

import { accountDeletionRoutes } from '@latchkey/protocol/api'
import { readTexts } from '@latchkey/protocol/texts/at-start'
import { requireOlderMethod } from '../../identity/new-methods/new-methods.ts'
import { requireLivingSession } from '../../identity/sessions/sessions.ts'
import { lockUser } from '../../identity/users/users.ts'
import { type Notice, sendNotice } from '../../integrations/mail/mail.ts'
import type { Capability } from '../../kernel/capability.ts'
import { type Endpoint, replayedEndpoint } from '../../kernel/http/endpoint.ts'
import { consumeConfirmation } from '../../wallet/confirm/confirm.ts'
import { consumeVerification } from '../verification/verification.ts'
import { deleteUser } from './deletion.ts'
import { overdueUsers } from './store.ts'
import type { Texts } from './texts.arb'

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
  expiryRules: [overdueUsers],
}

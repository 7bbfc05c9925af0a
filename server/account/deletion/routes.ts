import { accountDeletionRoutes } from '@latchkey/protocol/api'
import { requireVerifiedByOlder } from '../../identity/new-methods/new-methods.ts'
import { livingSession } from '../../identity/sessions/sessions.ts'
import { holdUser } from '../../identity/users/users.ts'
import { sendNotice } from '../../integrations/mail/mail.ts'
import { type Endpoint, replayedEndpoint } from '../../kernel/http/endpoint.ts'
import { useConfirmation } from '../../wallet/confirm/confirm.ts'
import { useVerification } from '../verification/verification.ts'
import { deleteUser } from './deletion.ts'
import { deletionNotice } from './mail.ts'

export const accountDeletionEndpoints: readonly Endpoint[] = [
  replayedEndpoint(accountDeletionRoutes.deleteAccount, {
    async decide(trx, { app, caller, body }, context) {
      const { clock, capabilities } = context
      // The token of a session that is over is taken for an answer that was lost, and for nothing else.
      await livingSession(trx, { clock }, caller.sessionId)
      await holdUser(trx, caller)
      await useConfirmation(trx, context, app, caller)
      const by = await useVerification(trx, { clock }, caller, body.mfaToken)
      await requireVerifiedByOlder(trx, context, { app, caller, verifiedBy: by })
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

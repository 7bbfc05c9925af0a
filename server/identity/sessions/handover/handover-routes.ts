import { LatchkeyError, type UserRecord } from '@latchkey/protocol'
import { crossAppLimits, handoverRoutes } from '@latchkey/protocol/api'
import type { ServerContext } from '../../../kernel/context.ts'
import { type Call, type Endpoint, endpoint, replayedEndpoint } from '../../../kernel/http/endpoint.ts'
import type { Reader } from '../../../kernel/ports.ts'
import { requireUser } from '../../users/users.ts'
import { createGrantTokens, type GrantedSession } from '../grant.ts'
import { refreshSession } from '../sessions.ts'
import { createHandover, deriveHandoverCode, redeemHandover, requireHandedOver } from './handover.ts'

export const handoverEndpoints: readonly Endpoint[] = [
  replayedEndpoint(handoverRoutes.createHandover, {
    decide: (trx, { caller, body }, context) => createHandover(trx, context, caller, body.secret),
    render: (seed, _call, context) => ({
      code: deriveHandoverCode(context, seed),
      expiresInSeconds: crossAppLimits.handoverSeconds,
    }),
  }),

  replayedEndpoint(handoverRoutes.redeemHandover, {
    decide: (trx, call, context) => {
      assertWalletOrigin(call, context)
      const provenKey = call.proof().key
      return redeemHandover(trx, context, { appId: call.app.id, code: call.body.code, provenKey })
    },
    render: async (grant, call, context) =>
      renderHandedOver(context.db, await createGrantTokens(context.db, context, grant, call.proof().key)),
  }),

  endpoint(handoverRoutes.refreshHandedOver, async (call, context) => {
    assertWalletOrigin(call, context)
    const { refreshToken } = call.body
    const provenKey = call.proof(refreshToken).key
    await requireHandedOver(context, refreshToken)
    return refreshSession(context, { appId: call.app.id, refreshToken, provenKey }, renderHandedOver)
  }),
]

/** Returns the tokens in the body even in cookie mode, because the wallet page has no cookies. */
async function renderHandedOver(
  reader: Reader,
  { session, tokens: { token, refreshToken } }: GrantedSession,
): Promise<{ user: UserRecord; token: string; refreshToken: string }> {
  return { user: await requireUser(reader, session.app_id, session.user_id), token, refreshToken }
}

/** Prevents a script in the dialog origin from redeeming a stolen code with its own key as the device key. */
function assertWalletOrigin({ c }: Pick<Call, 'c'>, { config }: ServerContext): void {
  if (c.req.header('origin') === config.walletOrigin) return
  throw new LatchkeyError('invalid_origin', 'This call is for the page of the wallet')
}

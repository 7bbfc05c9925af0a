import { LatchkeyError, type UserRecord } from '@latchkey/protocol'
import { crossAppLimits, handoverRoutes } from '@latchkey/protocol/api'
import type { ServerContext } from '../../../kernel/context.ts'
import { type Call, type Endpoint, endpoint, replayedEndpoint } from '../../../kernel/http/endpoint.ts'
import type { Reader } from '../../../kernel/ports.ts'
import { requireUser } from '../../users/users.ts'
import { type GrantedSession, tokensOfGrant } from '../grant.ts'
import { refreshSession } from '../sessions.ts'
import { createHandover, handoverCodeOf, redeemHandover, requireHandedOver } from './handover.ts'

export const handoverEndpoints: readonly Endpoint[] = [
  replayedEndpoint(handoverRoutes.createHandover, {
    decide: (trx, { caller, body }, context) => createHandover(trx, context, caller, body.secret),
    render: (seed, _call, context) => ({
      code: handoverCodeOf(context, seed),
      expiresInSeconds: crossAppLimits.handoverSeconds,
    }),
  }),

  replayedEndpoint(handoverRoutes.redeemHandover, {
    decide: (trx, call, context) => {
      assertOfWalletPage(call, context)
      const provenKey = call.proof().key
      return redeemHandover(trx, context, { appId: call.app.id, code: call.body.code, provenKey })
    },
    render: async (grant, call, context) =>
      windowSession(context.db, await tokensOfGrant(context.db, context, grant, call.proof().key)),
  }),

  endpoint(handoverRoutes.refreshHandedOver, async (call, context) => {
    assertOfWalletPage(call, context)
    const { refreshToken } = call.body
    const provenKey = call.proof(refreshToken).key
    await requireHandedOver(context, refreshToken)
    return refreshSession(context, { appId: call.app.id, refreshToken, provenKey }, windowSession)
  }),
]

/** The tokens are in the body, whatever the app says of cookies: the page has none. */
async function windowSession(
  reader: Reader,
  { session, tokens: { token, refreshToken } }: GrantedSession,
): Promise<{ user: UserRecord; token: string; refreshToken: string }> {
  return { user: await requireUser(reader, session.app_id, session.user_id), token, refreshToken }
}

/** A script in the dialog that got hold of a code makes no device of a key of its own. */
function assertOfWalletPage({ c }: Pick<Call, 'c'>, { config }: ServerContext): void {
  if (c.req.header('origin') === config.walletOrigin) return
  throw new LatchkeyError('invalid_origin', 'This call is for the page of the wallet')
}

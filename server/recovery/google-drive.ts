/**
 * The token of somebody's Google Drive. Google's web clients have a secret, so the code is redeemed here; the token
 * passes through to the wallet frame that asked, in one answer, and is kept and written down nowhere.
 */
import { createHash } from 'node:crypto'
import { LatchkeyError, product } from '@latchkey/protocol'
import type { CloudCode } from '@latchkey/protocol/wallet'
import type { App } from '../apps/apps.ts'
import type { ServerContext, WalletToken } from '../context.ts'
import { askLimits } from '../limits.ts'
import { askProvider, type FlowUse, providerClients, redeemCode, refusalError } from '../login/oauth/oauth.ts'
import { assertMethodAllowed } from '../wallets/wallets.ts'

const method = 'google-drive'

/** Bound to the user, and not to a browser: the dialog begins it, and the wallet frame ends it. */
export const toRecover = ({
  appId,
  userId,
}: Pick<WalletToken, 'appId' | 'userId'>): FlowUse<typeof method> => ({
  purpose: 'recovery',
  providers: [method],
  binding: createHash('sha256')
    .update(`${product.key}/cloud-recovery\n${appId}\n${userId}`)
    .digest('base64url'),
  requireClient(context, app) {
    assertMethodAllowed(app, method, false)
    const client = providerClients.on(context.ports).get(method)
    if (client) return client
    throw new LatchkeyError('disallowed_recovery_method', 'This server is no client of Google', {
      details: { setting: 'OAUTH_GOOGLE' },
    })
  },
})

export async function redeemedToken(
  context: ServerContext,
  app: App,
  caller: WalletToken,
  code: CloudCode,
): Promise<string> {
  const use = toRecover(caller)
  const { title } = use.requireClient(context, app, method)
  // As a redirect says it of a person who did not want to.
  if (code.authorizationCode === 'undefined') throw refusalError(context, title, { type: 'denied' })
  const redeemed = await context.transaction((trx) => redeemCode(trx, context, app, use, code))
  const answer = await askProvider(
    context,
    app,
    use,
    redeemed,
    AbortSignal.timeout(askLimits.deadlineMs),
  ).catch(
    (error: unknown) =>
      ({ type: 'failed', why: error instanceof Error ? error.name : typeof error }) as const,
  )
  if (answer.type !== 'proven') throw refusalError(context, title, answer)
  return answer.tokens.accessToken
}

/**
 * The token of somebody's Google Drive. Google's web clients have a secret, so the code is redeemed here; the token
 * passes through to the wallet frame that asked, in one answer, and is kept and written down nowhere.
 *
 * Nothing of a sign-in is kept either. The window of the wallet's origin that began it has its state and its verifier,
 * and Google's answer is told to that window in its own browser (the page in `capability.ts`), so a person who was sent to Google
 * by somebody else gives them nothing. Google takes a code once, for minutes, with the verifier of its challenge.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { type CloudCode, cloudCallbackPath } from '@latchkey/protocol/wallet'
import type { App } from '../../identity/apps/apps.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { askLimits } from '../../kernel/limits.ts'
import { type ProviderClient, providerClients, refusalError } from '../../login/oauth/oauth.ts'
import { assertMethodAllowed } from '../../wallet/wallets/wallets.ts'

const method = 'google-drive'

function requireClient({ ports }: ServerContext, app: App): ProviderClient {
  assertMethodAllowed(app, method, false)
  const client = providerClients.get(ports).get(method)
  if (client) return client
  throw new LatchkeyError('disallowed_recovery_method', 'This server is no client of Google', {
    details: { setting: 'OAUTH_GOOGLE' },
  })
}

const callbackOf = ({ config }: ServerContext) => config.walletOrigin + cloudCallbackPath

type Order = { redirectTo: string; codeChallenge: string; stateCode: string }

/** Where a person says at Google that we may have a folder there. */
export function googleAddress(context: ServerContext, app: App, order: Order): string {
  const client = requireClient(context, app)
  const redirectTo = callbackOf(context)
  if (order.redirectTo !== redirectTo) {
    throw new LatchkeyError('invalid_origin', `redirect_to is not ${redirectTo}`)
  }
  // Who somebody is there is nobody's business here, so there is no id token and no nonce of one.
  return client.authorizationUrl(redirectTo, {
    state: order.stateCode,
    challenge: order.codeChallenge,
    nonce: '',
  })
}

export async function redeemedToken(
  context: ServerContext,
  app: App,
  { authorizationCode, stateCode, codeVerifier }: CloudCode,
): Promise<string> {
  const client = requireClient(context, app)
  // As a redirect says it of a person who did not want to.
  if (authorizationCode === 'undefined') throw refusalError(context, client.title, { type: 'denied' })
  const answer = await client
    .exchange(
      new URLSearchParams({ code: authorizationCode, state: stateCode }),
      callbackOf(context),
      { state: stateCode, verifier: codeVerifier, nonce: '' },
      AbortSignal.timeout(askLimits.deadlineMs),
    )
    .catch(
      (error: unknown) =>
        ({ type: 'failed', why: error instanceof Error ? error.name : typeof error }) as const,
    )
  if (answer.type !== 'proven') throw refusalError(context, client.title, answer)
  return answer.tokens.accessToken
}

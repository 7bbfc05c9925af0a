/**
 * Obtains an access token for the user's Google Drive. Google web clients have a secret, so the server exchanges the
 * code. It returns the token to the wallet frame in one response and neither stores nor logs it.
 *
 * The server stores no sign-in state. The window on the wallet origin holds state and verifier, and receives Google's
 * response in the same browser (the page in `capability.ts`). So a victim sent to Google by an attacker reveals
 * nothing. Google accepts a code once, for minutes, with its PKCE verifier.
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
  throw new LatchkeyError('disallowed_recovery_method', 'This server has no Google OAuth client', {
    details: { setting: 'OAUTH_GOOGLE' },
  })
}

const getCallbackUrl = ({ config }: ServerContext) => config.walletOrigin + cloudCallbackPath

type Order = { redirectTo: string; codeChallenge: string; stateCode: string }

/** Returns the Google consent URL for the app folder. */
export function getGoogleUrl(context: ServerContext, app: App, order: Order): string {
  const client = requireClient(context, app)
  const redirectTo = getCallbackUrl(context)
  if (order.redirectTo !== redirectTo) {
    throw new LatchkeyError('invalid_origin', `redirect_to is not ${redirectTo}`)
  }
  // The user's Google identity is not needed, so there is no id token and no nonce.
  return client.authorizationUrl(redirectTo, {
    state: order.stateCode,
    challenge: order.codeChallenge,
    nonce: '',
  })
}

export async function redeemCode(
  context: ServerContext,
  app: App,
  { authorizationCode, stateCode, codeVerifier }: CloudCode,
): Promise<string> {
  const client = requireClient(context, app)
  // The redirect sends the string 'undefined' if the user declined.
  if (authorizationCode === 'undefined') throw refusalError(context, client.title, { type: 'denied' })
  const answer = await client
    .exchange(
      new URLSearchParams({ code: authorizationCode, state: stateCode }),
      getCallbackUrl(context),
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

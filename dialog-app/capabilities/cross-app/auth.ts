/** A login attempt at a provider, and the redemption of its authorization code. */
import { LatchkeyError } from '@latchkey/protocol'
import { type CrossAppConnection, crossAppLimits } from '@latchkey/protocol/api'
import { createProofKeyPair, getThumbprint } from '../../api/proof.ts'
import type { DialogServices } from '../../app/services.ts'
import type { CaptchaPass } from '../../contract/login.ts'
import type { Attempt } from '../../window-login/attempt.ts'
import type { WindowBrowser } from '../../window-login/browser.ts'
import { beginOAuthWindow, type Grant, type Unconfirmed } from '../../window-login/oauth-window.ts'
import { providerOf } from './connections.ts'
import { inOurWords } from './failures.ts'
import { proofOf } from './provider/proof.ts'
import { english } from './texts.arb'

/** `keys`: the DPoP key pair that the tokens of this attempt are bound to. */
export type CrossAppGrant = Grant & { keys: CryptoKeyPair }

type Ports = Pick<DialogServices, 'api' | 'clock' | 'settings' | 'analytics'>

/** Opens a window, so it must run within the click. */
export function beginAuth(
  ports: Ports,
  browser: WindowBrowser,
  connection: CrossAppConnection,
  pass: CaptchaPass | undefined,
  signal: AbortSignal,
): Attempt<CrossAppGrant> {
  const { providerAppId, providerAppName: app } = connection
  const making = createProofKeyPair()
  // Prevents an unhandled rejection. The attempt reports the error.
  making.catch(() => {})
  const attempt = beginOAuthWindow(ports, {
    browser,
    provider: providerOf(providerAppId),
    pass,
    signal,
    size: crossAppLimits,
    tooLate: english.failures.timeout,
    extra: async () => ({ proofKey: await getThumbprint(await making) }),
    starting: (call) => call,
    refusal: (why) => toRefusal(why, app),
  })
  ports.analytics('cross_app_auth_started', { provider: providerAppId })
  const grantWithKeys = attempt.granted.then(
    async (grant) => ({ ...grant, keys: await making }),
    (error: unknown) => {
      throw inOurWords(error, app)
    },
  )
  return { ...attempt, granted: grantWithKeys }
}

function toRefusal(why: Unconfirmed, app: string): LatchkeyError {
  switch (why) {
    case 'mismatch':
    case 'incomplete':
      return new LatchkeyError('pkce_state_code_mismatch', english.failures.code)
    case 'oauth_user_denied':
      return new LatchkeyError(why, english.failures.denied)
    case 'oauth_account_suspended':
    case 'oauth_unexpected':
      return new LatchkeyError('oauth_unexpected', english.failures.issue({ app }))
    default:
      return why satisfies never
  }
}

/** Creates the request body that redeems the grant. Call it late, because the proof expires soon. */
export async function finishOf(
  { keys, ...grant }: CrossAppGrant,
  { providerAppId, tokenEndpoint }: CrossAppConnection,
  nowMs: () => number,
) {
  const proof = await proofOf(keys, { url: tokenEndpoint, nowMs: nowMs() })
  return { ...grant, withTokens: true, provider: providerOf(providerAppId), proof }
}

/** One try at a provider. The state is compared here, so nothing of another login is ever used. */
import { LatchkeyError, product } from '@latchkey/protocol'
import { type OAuthResult, oauthFailures, oauthRoutes } from '@latchkey/protocol/api'
import * as v from 'valibot'
import type { CaptchaPass } from '../../core/captcha-pass.ts'
import type { FlowPorts } from '../../core/ports.ts'
import { type Attempt, beginAttempt, starting } from '../../window-login/attempt.ts'
import type { WindowBrowser } from '../../window-login/browser.ts'
import type { SocialProvider } from './providers.ts'

/** What the provider's answer is redeemed with. */
export type Grant = {
  readonly authorizationCode: string
  readonly stateCode: string
  readonly codeVerifier: string
}

type Settled = Exclude<OAuthResult, { readonly status: 'pending' }>

export function beginOAuth(
  { api, clock, settings }: Pick<FlowPorts, 'api' | 'clock' | 'settings'>,
  browser: WindowBrowser,
  provider: SocialProvider,
  pass: CaptchaPass | undefined,
  signal: AbortSignal,
): Attempt<Grant> {
  const opening = { clock, settings, browser, purpose: 'oauth', signal } as const
  return beginAttempt(opening, async ({ begin, hear, result, asker }) => {
    const heard = new Promise<Settled>((resolve) => {
      hear((data, from) => {
        const said = v.safeParse(messageSchema, data)
        if (said.success && from === browser.origin) resolve(resultIn(said.output))
      })
    })
    const [stateCode, codeVerifier] = [browser.secret(), browser.secret()]
    const order = {
      provider,
      redirectTo: `${browser.origin}/apps/${settings().app.id}/dialog`,
      codeChallenge: await browser.challengeOf(codeVerifier),
      stateCode,
      ...pass,
    }
    await starting(begin((relay) => api.call(oauthRoutes.startOAuth, { ...order, relay }, asker)))
    const asked = result((key) => api.call(oauthRoutes.oauthResult, key, asker))
    const settled = await Promise.race([heard, asked])
    if (settled.status === 'failed') throw new LatchkeyError(settled.error, 'The provider did not confirm it')
    if (settled.stateCode !== stateCode) {
      throw new LatchkeyError(
        'pkce_state_code_mismatch',
        'Unexpected auth flow. This may be a phishing attempt.',
      )
    }
    return { authorizationCode: settled.authorizationCode, stateCode, codeVerifier }
  })
}

const { response, error } = product.oauthPopup
const messageSchema = v.variant('type', [
  v.object({ type: v.literal(response), stateCode: v.string(), authorizationCode: v.string() }),
  v.object({ type: v.literal(error), error: v.picklist(oauthFailures) }),
])

const resultIn = (said: v.InferOutput<typeof messageSchema>): Settled =>
  'error' in said ? { status: 'failed', ...said } : { status: 'completed', ...said }

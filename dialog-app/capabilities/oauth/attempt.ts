/**
 * One try at a provider: a window at our start page, the call that fills that page beside it, and what came of it,
 * by whichever way comes first. The state is compared here, so nothing of another login is ever used.
 */
import { LatchkeyError, oauthLimits, product } from '@latchkey/protocol'
import { type OAuthResult, oauthFailures, oauthRoutes } from '@latchkey/protocol/api'
import * as v from 'valibot'
import type { CaptchaPass } from '../../core/captcha-pass.ts'
import type { FlowPorts } from '../../core/ports.ts'
import { wait, within } from '../../waiting.ts'
import type { OAuthBrowser } from './browser.ts'
import type { SocialProvider } from './providers.ts'

/** What the provider's answer is redeemed with. */
export type Grant = {
  readonly authorizationCode: string
  readonly stateCode: string
  readonly codeVerifier: string
}

export type Attempt = {
  readonly granted: Promise<Grant>
  /** Undefined where nothing is known of its window. */
  readonly isWindowClosed: () => boolean | undefined
  readonly isOver: () => boolean
  /** Takes its window away with it. */
  readonly stop: () => void
}

type Settled = Exclude<OAuthResult, { readonly status: 'pending' }>

/** Called in the click: the window is opened before anything is awaited. */
export function beginAttempt(
  { api, clock, settings }: Pick<FlowPorts, 'api' | 'clock' | 'settings'>,
  browser: OAuthBrowser,
  provider: SocialProvider,
  { pass, signal }: { readonly pass: CaptchaPass | undefined; readonly signal: AbortSignal },
): Attempt {
  const { secret } = browser
  const handle = secret()
  const window = browser.open(`/oauth/start/${handle}`)
  const [relaySecret, stateCode, codeVerifier] = [secret(), secret(), secret()]
  const stopping = new AbortController()
  const over = AbortSignal.any([signal, stopping.signal])
  over.addEventListener('abort', () => window?.close(), { once: true })
  /** Nobody sees these calls, so they wait for the network until the whole try is over. */
  const asker = { signal: over, onNetwork: () => {} }

  async function run(): Promise<Grant> {
    const heard = hearWindow()
    const [codeChallenge, challenge] = await Promise.all([
      browser.challengeOf(codeVerifier),
      browser.challengeOf(relaySecret),
    ])
    await api.call(
      oauthRoutes.startOAuth,
      {
        provider,
        redirectTo: `${browser.origin}/apps/${settings().app.id}/dialog`,
        codeChallenge,
        stateCode,
        relay: { handle, challenge },
        ...pass,
      },
      asker,
    )
    const result = await Promise.race([heard, askServer()])
    if (result.status === 'failed') throw new LatchkeyError(result.error, 'The provider did not confirm it')
    if (result.stateCode !== stateCode) {
      throw new LatchkeyError(
        'pkce_state_code_mismatch',
        'Unexpected auth flow. This may be a phishing attempt.',
      )
    }
    return { authorizationCode: result.authorizationCode, stateCode, codeVerifier }
  }

  const hearWindow = () =>
    new Promise<Settled>((resolve) => {
      window?.listen((data) => {
        const said = v.safeParse(messageSchema, data)
        if (said.success) resolve(resultIn(said.output))
      }, over)
    })

  async function askServer(): Promise<Settled> {
    for (;;) {
      const result = await api.call(oauthRoutes.oauthResult, { handle, secret: relaySecret }, asker)
      if (result.status !== 'pending') return result
      await wait(clock, oauthLimits.resultPauseMs, over)
    }
  }

  const stop = () => stopping.abort()
  return {
    granted: within(clock, oauthLimits.windowMs, run(), tooLate).finally(stop),
    isWindowClosed: () => window?.isClosed(),
    isOver: () => over.aborted,
    stop,
  }
}

const tooLate = () => new LatchkeyError('client_request_timeout', 'The provider did not answer in time')

const { response, error } = product.oauthPopup
const messageSchema = v.variant('type', [
  v.object({ type: v.literal(response), stateCode: v.string(), authorizationCode: v.string() }),
  v.object({ type: v.literal(error), error: v.picklist(oauthFailures) }),
])

const resultIn = (said: v.InferOutput<typeof messageSchema>): Settled =>
  'error' in said ? { status: 'failed', ...said } : { status: 'completed', ...said }

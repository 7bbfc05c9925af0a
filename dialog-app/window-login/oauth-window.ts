/**
 * A single attempt at an OAuth provider. It compares the state, so that a response to another login is never used.
 */
import { type LatchkeyError, product } from '@latchkey/protocol'
import { type OAuthResult, oauthFailures, oauthRoutes, type RouteBody } from '@latchkey/protocol/api'
import * as v from 'valibot'
import type { DialogServices } from '../app/services.ts'
import type { CaptchaPass } from '../contract/login.ts'
import { type Attempt, beginAttempt } from './attempt.ts'
import type { PopupSize, WindowBrowser } from './browser.ts'

/** The values that redeem the provider's response. */
export type Grant = {
  authorizationCode: string
  stateCode: string
  codeVerifier: string
}

/** `mismatch`: the response belongs to another login. `incomplete`: its code or state is missing. */
export type Unconfirmed = (typeof oauthFailures)[number] | 'mismatch' | 'incomplete'

export type OAuthOpening = {
  browser: WindowBrowser
  provider: RouteBody<typeof oauthRoutes.startOAuth>['provider']
  pass: CaptchaPass | undefined
  signal: AbortSignal
  size?: PopupSize
  tooLate?: string
  /** Returns extra fields of the start call. */
  extra?: () => Promise<Pick<RouteBody<typeof oauthRoutes.startOAuth>, 'proofKey'>>
  /** Wraps the start call to convert its failure. */
  starting: <Answer>(call: Promise<Answer>) => Promise<Answer>
  /** Returns undefined for messages to ignore. */
  refusal: (why: Unconfirmed) => LatchkeyError | undefined
}

type Settled = Exclude<OAuthResult, { status: 'pending' }>

export function beginOAuthWindow(
  { api, clock, settings }: Pick<DialogServices, 'api' | 'clock' | 'settings'>,
  opening: OAuthOpening,
): Attempt<Grant> {
  const { browser, provider, pass, signal, size, tooLate, starting, refusal } = opening
  const window = { clock, settings, browser, purpose: 'oauth', signal } as const
  const windowOptions = { ...(size && { size }), ...(tooLate !== undefined && { tooLate }) }
  return beginAttempt({ ...window, ...windowOptions }, async ({ begin, hear, result, options }) => {
    const windowResult = new Promise<Settled>((resolve, reject) => {
      hear((data, from) => {
        const message = v.safeParse(messageSchema, data)
        if (!message.success || from !== browser.origin) return
        const settled = resultIn(message.output)
        if (!isIncomplete(settled)) return resolve(settled)
        const problem = refusal('incomplete')
        if (problem) reject(problem)
      })
    })
    // The race below reports its failure.
    windowResult.catch(() => {})
    const [stateCode, codeVerifier] = [browser.secret(), browser.secret()]
    const order = {
      provider,
      redirectTo: `${browser.origin}/apps/${settings().app.id}/dialog`,
      codeChallenge: await browser.createChallenge(codeVerifier),
      stateCode,
      ...pass,
      ...(await opening.extra?.()),
    }
    await starting(begin((relay) => api.call(oauthRoutes.startOAuth, { ...order, relay }, options)))
    const pendingResult = result((key) => api.call(oauthRoutes.oauthResult, key, options))
    const settled = await Promise.race([windowResult, pendingResult])
    const why = whyUnconfirmed(settled, stateCode)
    if (settled.status === 'failed' || why) throw refusal(why ?? 'oauth_unexpected') ?? refusal('mismatch')
    return { authorizationCode: settled.authorizationCode, stateCode, codeVerifier }
  })
}

function whyUnconfirmed(settled: Settled, stateCode: string): Unconfirmed | undefined {
  if (settled.status === 'failed') return settled.error
  if (isIncomplete(settled)) return 'incomplete'
  return settled.stateCode === stateCode ? undefined : 'mismatch'
}

const isIncomplete = (settled: Settled) =>
  settled.status === 'completed' && (settled.authorizationCode === '' || settled.stateCode === '')

const { response, error } = product.oauthPopup
const part = v.optional(v.string(), '')
const messageSchema = v.variant('type', [
  v.object({ type: v.literal(response), stateCode: part, authorizationCode: part }),
  v.object({ type: v.literal(error), error: v.picklist(oauthFailures) }),
])

const resultIn = (said: v.InferOutput<typeof messageSchema>): Settled =>
  'error' in said ? { status: 'failed', ...said } : { status: 'completed', ...said }

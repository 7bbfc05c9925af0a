/**
 * OAuth login by redirecting the whole page, used on phones, where users lose track of popups. The state and PKCE
 * verifier stay in this browser, partitioned by the host's site. A link from an attacker therefore resumes no login.
 */
import {
  type ErrorCode,
  LatchkeyError,
  oauthLimits,
  oidcProvider,
  product,
  socialProviders,
} from '@latchkey/protocol'
import { oauthRoutes } from '@latchkey/protocol/api'
import * as v from 'valibot'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { CaptchaPass, Purpose } from '../../contract/login.ts'
import type { HostCallContext } from '../../host/host-calls.ts'
import type { Settings } from '../../host/settings.ts'
import { starting } from '../../window-login/attempt.ts'
import type { WindowBrowser } from '../../window-login/browser.ts'
import type { Departure } from '../../window-login/window-login.ts'
import type { Grant } from './attempt.ts'
import type { OAuthProvider } from './providers.ts'

/** Accounts at OAuth providers are never replaced, so `replace` is missing here. */
const purposes = ['login', 'link', 'reauthorize'] as const satisfies readonly Purpose[]
type TakenAway = (typeof purposes)[number]

const keptSchema = v.object({
  provider: v.union([v.picklist(socialProviders), oidcProvider]),
  purpose: v.picklist(purposes),
  stateCode: v.string(),
  codeVerifier: v.string(),
  untilMs: v.number(),
})
type Kept = v.InferOutput<typeof keptSchema>

const storedName = ({ app }: Settings) => product.storageName(app.id, 'oauth-redirect')

/** Returns the redirect target, or undefined if the host page's address is unknown. A popup is used then. */
export const wayBack = ({ settings }: CapabilityPorts, browser: WindowBrowser): string | undefined =>
  settings().hostOrigin === null ? browser.address : settings().pageAddress

/** Resolves after the navigation has started, or if the user no longer waits for it. */
export async function takePage(
  { api, clock, settings, store }: CapabilityPorts,
  browser: WindowBrowser,
  order: { provider: OAuthProvider['method']; purpose: TakenAway; redirectTo: string },
  pass: CaptchaPass | undefined,
  { signal, isWanted }: Departure,
): Promise<void> {
  const { provider, purpose, redirectTo } = order
  const [stateCode, codeVerifier] = [browser.secret(), browser.secret()]
  const codeChallenge = await browser.createChallenge(codeVerifier)
  const body = { provider, redirectTo, codeChallenge, stateCode, ...pass }
  const { url } = await starting(api.call(oauthRoutes.startOAuth, body, { signal }))
  if (!isWanted()) return
  const untilMs = clock.nowMs() + oauthLimits.flowSeconds * 1_000
  const redirect: Kept = { provider, purpose, stateCode, codeVerifier, untilMs }
  store.write(storedName(settings()), JSON.stringify(redirect))
  browser.leaveFor(url)
}

/** The result that the page returned with. Stored until the login method takes it. */
export type Returned = {
  provider: OAuthProvider['method']
  purpose: TakenAway
} & ({ grant: Grant } | { problem: LatchkeyError })

const returned = new WeakMap<CapabilityPorts, Returned>()

export function takeReturned(
  ports: CapabilityPorts,
  wanted: Pick<Returned, 'provider' | 'purpose'>,
): Returned | undefined {
  const result = returned.get(ports)
  if (result?.provider !== wanted.provider || result.purpose !== wanted.purpose) return undefined
  returned.delete(ports)
  return result
}

type Resume = (
  ports: CapabilityPorts,
  provider: OAuthProvider['method'],
  context: HostCallContext,
) => Promise<unknown>
const resumeByPurpose: { readonly [purpose in Kept['purpose']]: Resume } = {
  login: (ports, _provider, context) => ports.logIn(context),
  link: (ports, method, context) => ports.callByName('link', { method }, context),
  reauthorize: (ports, provider, context) => ports.callByName('reauthorize', { provider }, context),
}

/** Resumes the redirected login, link or reauthorization after the page returned. */
export async function resumeLogin(ports: CapabilityPorts, parameters: URLSearchParams): Promise<void> {
  const redirect = takeKept(ports)
  if (!redirect) return
  const { provider, purpose } = redirect
  returned.set(ports, { provider, purpose, ...answerIn(parameters, redirect) })
  try {
    await resumeByPurpose[purpose](ports, provider, { signal: new AbortController().signal })
  } catch {
    // The dialog has already shown the error. There is no host call to reject.
  } finally {
    returned.delete(ports)
  }
}

/** Removes the stored redirect, and returns it unless it has expired. */
function takeKept({ store, clock, settings }: CapabilityPorts): Kept | undefined {
  const name = storedName(settings())
  const stored = store.read(name)
  if (stored === null) return undefined
  store.remove(name)
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), keptSchema), stored)
  return parsed.success && clock.nowMs() < parsed.output.untilMs ? parsed.output : undefined
}

/** Error values that the server returns in place of the authorization code. */
const refusals: Readonly<Record<string, ErrorCode>> = {
  undefined: 'oauth_user_denied',
  error: 'oauth_unexpected',
}

function answerIn(parameters: URLSearchParams, { stateCode, codeVerifier }: Kept) {
  const authorizationCode = parameters.get(product.query.oauthCode) ?? 'error'
  const problem = refusals[authorizationCode]
  if (problem) return { problem: new LatchkeyError(problem, 'The provider did not confirm it') }
  if (parameters.get(product.query.oauthState) !== stateCode) {
    const message = 'Unexpected auth flow. This may be a phishing attempt.'
    return { problem: new LatchkeyError('pkce_state_code_mismatch', message) }
  }
  return { grant: { authorizationCode, stateCode, codeVerifier } }
}

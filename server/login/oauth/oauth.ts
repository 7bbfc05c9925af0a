/**
 * Login at an OAuth provider, on two legs: dialog ⇄ server and server ⇄ provider, each with a state, a verifier and
 * a code of its own.
 *
 *     dialog   POST /oauth/init            a flow, under a handle
 *     window   /oauth/start/{handle}       proves that this browser made the handle; a cookie, and on to the provider
 *     window   /oauth/callback/{provider}  what the provider said is kept, sealed
 *     dialog   POST /oauth/result          our code for it, or it comes in the query of `redirect_to`
 *     dialog   POST /oauth/authenticate    with the verifier: now the provider is asked who it is
 *
 * Accounts are found by the provider's own subject, never by an address.
 */
import { exactOrigin, LatchkeyError, oauthLimits, socialProviders } from '@latchkey/protocol'
import type { OAuthResult, Relay } from '@latchkey/protocol/api'
import { type App, mayEmbed } from '../../apps/apps.ts'
import { bindingHash } from '../../codes/codes.ts'
import type { ServerContext } from '../../context.ts'
import { gathered } from '../../db/gathered.ts'
import type { Wait } from '../../http/waits.ts'
import { pepperNamedBy } from '../../keys/keys.ts'
import { nowSeconds, type Trx } from '../../ports.ts'
import { requireLoginMethod } from '../allowed.ts'
import type { Proven } from '../proven.ts'
import {
  beginDeparture,
  beginStart,
  challengeOf,
  isSame,
  randomSecret,
  seal,
  unseal,
  wasSentOn,
} from '../window/window.ts'
import { variableOf } from './environment.ts'
import { type Exchanged, type ProviderClient, providerClients } from './exchange.ts'
import type { FlowProvider, Profile, SocialProvider } from './provider.ts'
import { wrongOAuthCode } from './refusal.ts'
import * as secrets from './secrets.ts'
import * as store from './store.ts'

function requireOAuthLogin(context: ServerContext, app: App, provider: SocialProvider): ProviderClient {
  const client = providerClients.on(context.ports).get(provider)
  requireLoginMethod(app, `${provider}Oauth`, client?.title ?? provider)
  if (client) return client
  throw new LatchkeyError('disallowed_login_method', 'This server is no client of this provider', {
    details: { setting: variableOf[provider] },
  })
}

export { oauthSettingsOf } from './environment.ts'
export { type ProviderClient, providerClients } from './exchange.ts'
export { refusalError } from './refusal.ts'

/** What a flow is for. Of one that is for something else nobody gets anything here. */
export type FlowUse<Provider extends FlowProvider> = {
  readonly providers: readonly Provider[]
  /** Who began it, as a digest: nobody else goes on with it. */
  readonly binding: string
  readonly requireClient: (context: ServerContext, app: App, provider: Provider) => ProviderClient
}

export const toLogIn = (binding: string | undefined): FlowUse<SocialProvider> => ({
  providers: socialProviders,
  binding: bindingHash(binding),
  requireClient: requireOAuthLogin,
})

const redirectUriOf = ({ config }: Pick<ServerContext, 'config'>, provider: FlowProvider) =>
  `${config.dialogOrigin}/oauth/callback/${provider}`
/** Of a window that the dialog opens, and of a page that it takes away. */
export const startUrlOf = (
  { config }: Pick<ServerContext, 'config'>,
  { handle, purpose }: { readonly handle: string; readonly purpose: 'oauth' | 'redirect' },
) => `${config.dialogOrigin}${purpose === 'redirect' ? '/oauth/redirect' : '/oauth/start'}/${handle}`

export type FlowOrder<Provider extends FlowProvider> = {
  readonly provider: Provider
  readonly redirectTo: string
  readonly codeChallenge: string
  readonly stateCode: string
  /** Of a window of its own; without one the whole page is taken away. */
  readonly relay?: Relay
}

export async function beginFlow<Provider extends FlowProvider>(
  trx: Trx,
  context: ServerContext,
  app: App,
  { binding, requireClient }: FlowUse<Provider>,
  order: FlowOrder<Provider>,
): Promise<{ readonly handle: string; readonly purpose: 'oauth' | 'redirect' }> {
  const { provider, relay } = order
  requireClient(context, app, provider)
  const redirectTo = returnAddress(context, app, order.redirectTo)
  const handle = relay?.handle ?? randomSecret()
  if (relay) await beginStart(trx, context, app, { purpose: 'oauth', relay })
  else await beginDeparture(trx, context, app, { handle, origin: new URL(redirectTo).origin })
  const isNew = await store.insertFlow(trx, {
    handle,
    app_id: app.id,
    provider,
    binding,
    code_challenge: order.codeChallenge,
    state_code: order.stateCode,
    relay_challenge: relay?.challenge ?? null,
    redirect_to: redirectTo,
    answer: null,
    failure: null,
    used_at: null,
    expires_at: nowSeconds(context.clock) + oauthLimits.flowSeconds,
  })
  if (!isNew) throw new LatchkeyError('invalid_data', 'This handle was used', { details: { path: 'relay' } })
  return { handle, purpose: relay ? 'oauth' : 'redirect' }
}

/** On an origin that the app lists, or the app's own dialog in a window of its own. */
function returnAddress({ config }: ServerContext, app: App, redirectTo: string): string {
  const url = URL.parse(redirectTo)
  const isListed = url && exactOrigin(url.origin) !== undefined && mayEmbed(app, url.origin)
  const isDialog = url?.origin === config.dialogOrigin && url.pathname === `/apps/${app.id}/dialog`
  if (url && url.username === '' && url.password === '' && (isListed || isDialog)) return url.href
  throw new LatchkeyError('invalid_origin', 'The app does not list the origin of redirect_to')
}

export const findFlow = (context: ServerContext, handle: string) =>
  store.findFlow(context.db, handle, nowSeconds(context.clock))

/** Where to send the browser that may go on. */
export async function sendToProvider(
  context: ServerContext,
  handle: string,
): Promise<{ readonly url: string; readonly title: string } | undefined> {
  const flow = await findFlow(context, handle)
  const client = flow && providerClients.on(context.ports).get(flow.provider)
  if (!client) return undefined
  const redirectUri = redirectUriOf(context, flow.provider)
  const { verifier, ...leg } = secrets.legSecretsOf(context, {
    handle,
    pepper: context.keyring.pepperInUse(),
  })
  const url = client.authorizationUrl(redirectUri, { ...leg, challenge: challengeOf(verifier) })
  return { url, title: client.title }
}

/** It will not go on, and its dialog is told. */
export const failFlow = (context: ServerContext, handle: string) =>
  store.answerFlow(context.db, handle, { answer: null, failure: 'oauth_unexpected' })

/** The flow that the redirect of a provider is of, if it comes to the browser that was sent there. */
export type Callback =
  | { readonly type: 'answered'; readonly flow: store.Flow }
  /** The state is none of ours, or of another provider. */
  | { readonly type: 'foreign' }
  | { readonly type: 'other browser' }
  | { readonly type: 'over' }

export async function takeAnswer(
  context: ServerContext,
  provider: FlowProvider,
  returned: URLSearchParams,
  browserOf: (handle: string) => string | undefined,
): Promise<Callback> {
  const state = returned.get('state') ?? ''
  const leg = await secrets.legOfState(context, state)
  const client = providerClients.on(context.ports).get(provider)
  if (!leg || !client) return { type: 'foreign' }
  const { handle, pepper } = leg
  const flow = await findFlow(context, handle)
  if (!flow) return { type: 'over' }
  if (flow.provider !== provider) return { type: 'foreign' }
  if (!(await wasSentOn(context.db, context.clock, handle, browserOf(handle)))) {
    return { type: 'other browser' }
  }
  const read = client.read(returned, state)
  if (read.type === 'failed') context.log.error({ provider, why: read.why }, 'An OAuth provider failed')
  const answered = await store.answerFlow(context.db, handle, {
    answer: read.type === 'code' ? seal(context, handle, 'answer', whatCounts(returned), pepper) : null,
    failure: read.type === 'code' ? null : failureOf[read.type],
  })
  return answered ? { type: 'answered', flow: answered } : { type: 'over' }
}

/** What is sealed of an answer names the pepper that its login began with. */
const legOf = (handle: string, answer: string): secrets.Leg => ({ handle, pepper: pepperNamedBy(answer) })

/** A form that somebody posts may hold anything. */
const whatCounts = (returned: URLSearchParams): string =>
  new URLSearchParams([...returned].filter(([name]) => ['code', 'state', 'iss'].includes(name))).toString()

const failureOf = {
  denied: 'oauth_user_denied',
  suspended: 'oauth_account_suspended',
  'wrong code': 'oauth_unexpected',
  'too many': 'oauth_unexpected',
  failed: 'oauth_unexpected',
} as const satisfies Record<Exclude<Exchanged['type'], 'proven'>, store.FlowFailure>

/** What came of it so far, for the dialog. */
export function resultOf(context: ServerContext, flow: store.Flow): OAuthResult {
  if (flow.failure !== null) return { status: 'failed', error: flow.failure }
  if (flow.answer === null) return { status: 'pending' }
  return {
    status: 'completed',
    authorizationCode: secrets.authorizationCodeOf(context, legOf(flow.handle, flow.answer)),
    stateCode: flow.state_code,
  }
}

const awaitedFlow = gathered(
  ({ db, clock }: ServerContext, handles) => store.findFlows(db, handles, nowSeconds(clock)),
  ({ handle }) => handle,
)

/** The result as soon as there is one, for whoever began in this browser and has the secret. */
export async function awaitedResult(
  context: ServerContext,
  app: App,
  { binding }: Pick<FlowUse<FlowProvider>, 'binding'>,
  { handle, secret }: { readonly handle: string; readonly secret: string },
  wait: Wait,
): Promise<OAuthResult> {
  let last: OAuthResult = { status: 'pending' }
  const settled = await wait.until(`oauth|${handle}`, oauthLimits.resultWaitMs, async () => {
    const flow = await awaitedFlow(context, handle)
    if (!flow || !isOf(flow, app, binding)) throw noSuchFlow()
    if (!isSame(flow.relay_challenge ?? '', challengeOf(secret))) throw noSuchFlow()
    last = resultOf(context, flow)
    return last.status === 'pending' ? undefined : last
  })
  return settled ?? last
}

const isOf = (flow: store.Flow, app: App, binding: string) =>
  flow.app_id === app.id && flow.binding === binding
const noSuchFlow = () => new LatchkeyError('not_found', 'There is no such login, or it is over')

export type Redemption = {
  readonly authorizationCode: string
  readonly stateCode: string
  readonly codeVerifier: string
}
/** A code that is used up by this, and is not yet worth anything: the provider is asked next. */
export type Redeemed<Provider extends FlowProvider = SocialProvider> = {
  readonly handle: string
  readonly provider: Provider
  /** Sealed. */
  readonly answer: string
}

export async function redeemCode<Provider extends FlowProvider>(
  trx: Trx,
  context: ServerContext,
  app: App,
  { binding, providers, requireClient }: FlowUse<Provider>,
  { authorizationCode, stateCode, codeVerifier }: Redemption,
): Promise<Redeemed<Provider>> {
  const handle = secrets.handleNamedBy(authorizationCode)
  // What throws is rolled back, so nobody uses up the code of another with its handle alone.
  const flow = await store.useFlow(trx, handle, nowSeconds(context.clock))
  const provider = providers.find((one) => one === flow?.provider)
  if (!provider || !flow || flow.answer === null || !isOf(flow, app, binding)) throw wrongOAuthCode()
  if (!secrets.isCodeOf(context, legOf(handle, flow.answer), authorizationCode)) throw wrongOAuthCode()
  if (!isSame(flow.state_code, stateCode)) {
    throw new LatchkeyError(
      'pkce_state_code_mismatch',
      'Unexpected auth flow. This may be a phishing attempt.',
    )
  }
  if (!isSame(flow.code_challenge, challengeOf(codeVerifier))) {
    throw new LatchkeyError('invalid_pkce_parameters', 'The verifier is not that of the challenge')
  }
  requireClient(context, app, provider)
  return { handle: flow.handle, provider, answer: flow.answer }
}

export function askProvider<Provider extends FlowProvider>(
  context: ServerContext,
  app: App,
  { requireClient }: Pick<FlowUse<Provider>, 'requireClient'>,
  { handle, provider, answer }: Redeemed<Provider>,
  signal: AbortSignal,
): Promise<Exchanged> {
  const returned = new URLSearchParams(unseal(context, handle, 'answer', answer))
  return requireClient(context, app, provider).exchange(
    returned,
    redirectUriOf(context, provider),
    secrets.legSecretsOf(context, legOf(handle, answer)),
    signal,
  )
}

export const provenBy = (provider: SocialProvider, { subject, fields }: Profile): Proven => ({
  method: provider,
  account: { type: `${provider}_oauth`, identifier: subject, profile: { subject, ...fields } },
})

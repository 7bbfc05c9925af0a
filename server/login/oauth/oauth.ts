/**
 * Login with an OAuth provider, in two legs with separate state, verifier and code: dialog ⇄ server and server ⇄
 * provider.
 *
 *     dialog   POST /oauth/init            creates a flow with a handle
 *     window   /oauth/start/{handle}       proves that this browser created the handle, sets a cookie, redirects
 *     window   /oauth/callback/{provider}  stores the provider's response, sealed
 *     dialog   POST /oauth/result          returns our code, unless it is in the query of `redirect_to`
 *     dialog   POST /oauth/authenticate    verifies the verifier, then exchanges the provider's code
 *
 * Accounts are identified by the provider's subject, never by an e-mail address.
 */
import {
  type CrossAppProvider,
  exactOrigin,
  LatchkeyError,
  type LinkedAccountType,
  oauthLimits,
} from '@latchkey/protocol'
import type { OAuthResult, Relay } from '@latchkey/protocol/api'
import { type App, mayEmbed } from '../../identity/apps/apps.ts'
import { hashBinding } from '../../identity/codes/codes.ts'
import type { NamedAccount } from '../../identity/users/users.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { batchReads } from '../../kernel/db/batch-reads.ts'
import type { Wait } from '../../kernel/http/waits.ts'
import { equalsInConstantTime, getPepperName } from '../../kernel/keys/keys.ts'
import { nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import type { ProvenLogin } from '../proven.ts'
import {
  beginDeparture,
  beginWindow,
  createChallenge,
  randomSecret,
  seal,
  unseal,
  wasSentOn,
} from '../window/window.ts'
import type { Exchanged, ProviderClient } from './exchange/exchange.ts'
import { wrongOAuthCode, wrongWalletCode } from './exchange/refusal.ts'
import { type AccountKey, getFamily } from './families.ts'
import { revocationLimits } from './limits.ts'
import { getProofKey, wrongProof } from './proof.ts'
import type { FlowProvider, Profile } from './provider.ts'
import * as secrets from './secrets.ts'
import * as store from './store.ts'

/** Returns undefined if the server or the app has no client at the provider. */
const findClient = (
  context: ServerContext,
  reader: Reader,
  appId: string,
  provider: FlowProvider,
): Promise<ProviderClient | undefined> => getFamily(provider).findClient(context, reader, appId, provider)

async function requireClient(
  context: ServerContext,
  reader: Reader,
  app: App,
  provider: FlowProvider,
): Promise<ProviderClient> {
  const client = await findClient(context, reader, app.id, provider)
  const family = getFamily(provider)
  family.requireAllowed?.(app, provider, client?.title ?? provider)
  if (client) return client
  throw family.missingClient(provider)
}

export { readOAuthSettings } from './environment.ts'
export { userAgent } from './exchange/client-authentication.ts'
export {
  type AppProviders,
  createProviderClient,
  type Exchanged,
  oidcProviders,
  type ProviderClient,
  type ProviderTokens,
  providerClients,
  walletProviders,
} from './exchange/exchange.ts'
export { type ProviderRefusal, refusalError, walletRefusalError } from './exchange/refusal.ts'
export { requireProof } from './proof.ts'
export { type OAuthProvider, optionalText, type Profile } from './provider.ts'
export { defaults } from './providers.ts'

/** The browser that started a flow, as a hash. Only this browser can continue it. */
export type FlowUse = { binding: string }
export const toLogIn = (binding: string | undefined): FlowUse => ({ binding: hashBinding(binding) })

const getRedirectUri = ({ config }: Pick<ServerContext, 'config'>, provider: FlowProvider) =>
  `${config.dialogOrigin}/oauth/callback/${provider}`
/** Returns the URL of the login window, or of a full-page redirect. */
export const getStartUrl = (
  { config }: Pick<ServerContext, 'config'>,
  { handle, purpose }: { handle: string; purpose: 'oauth' | 'redirect' },
) => `${config.dialogOrigin}${purpose === 'redirect' ? '/oauth/redirect' : '/oauth/start'}/${handle}`

export type FlowOrder = {
  provider: FlowProvider
  redirectTo: string
  codeChallenge: string
  stateCode: string
  /** The relay of a window. Undefined for a full-page redirect. */
  relay?: Relay
  /** The browser's key, if the provider binds its tokens to one. */
  proofKey?: string
}

export async function beginFlow(
  trx: Trx,
  context: ServerContext,
  app: App,
  { binding }: FlowUse,
  order: FlowOrder,
): Promise<{ handle: string; purpose: 'oauth' | 'redirect' }> {
  const { provider, relay, proofKey } = order
  await requireClient(context, trx, app, provider)
  const { bindsTokens } = getFamily(provider)
  if (bindsTokens && proofKey === undefined) {
    throw new LatchkeyError('invalid_data', 'The tokens of this provider are bound to a key', {
      details: { path: 'proof_key' },
    })
  }
  const redirectTo = returnAddress(context, app, order.redirectTo)
  const handle = relay?.handle ?? randomSecret()
  const data: store.FlowData = {
    provider,
    codeChallenge: order.codeChallenge,
    stateCode: order.stateCode,
    redirectTo,
    proofKey: bindsTokens ? (proofKey ?? null) : null,
  }
  if (relay) await beginWindow(trx, context, app, { purpose: 'oauth', relay, binding, data })
  else await beginDeparture(trx, context, app, { handle, origin: new URL(redirectTo).origin, binding, data })
  return { handle, purpose: relay ? 'oauth' : 'redirect' }
}

/** Validates `redirect_to`: an origin that the app lists, or the app's own dialog page. */
function returnAddress({ config }: ServerContext, app: App, redirectTo: string): string {
  const url = URL.parse(redirectTo)
  const isListed = url && exactOrigin(url.origin) !== undefined && mayEmbed(app, url.origin)
  const isDialog =
    url?.origin === config.dialogOrigin &&
    (url.pathname === `/apps/${app.id}/dialog` ||
      (app.config.crossAppProvider && url.pathname === `/apps/${app.id}/authorize`))
  if (url && url.username === '' && url.password === '' && (isListed || isDialog)) return url.href
  throw new LatchkeyError('invalid_origin', 'The app does not list the origin of redirect_to')
}

const findFlow = (context: ServerContext, handle: string) =>
  store.findFlow(context.db, handle, nowSeconds(context.clock))

/** Returns the display name of the flow's provider, or undefined if the flow has ended. */
export async function findProviderTitle(context: ServerContext, handle: string): Promise<string | undefined> {
  const flow = await findFlow(context, handle)
  return flow && (await findClient(context, context.db, flow.appId, flow.provider))?.title
}

/** Returns the authorization URL for the browser that may continue. */
export async function sendToProvider(
  context: ServerContext,
  handle: string,
): Promise<{ url: string; title: string } | undefined> {
  const flow = await findFlow(context, handle)
  const client = flow && (await findClient(context, context.db, flow.appId, flow.provider))
  if (!client) return undefined
  const redirectUri = getRedirectUri(context, flow.provider)
  const { verifier, ...leg } = secrets.deriveLegSecrets(context, {
    handle,
    pepper: context.keyring.pepperInUse(),
  })
  const challenge = createChallenge(verifier)
  const url = client.authorizationUrl(redirectUri, { ...leg, challenge, proofKey: flow.proofKey })
  return { url, title: client.title }
}

/** Ends the flow, and reports the failure to its dialog. */
export const failFlow = (context: ServerContext, handle: string) =>
  store.answerFlow(
    context.db,
    handle,
    { answer: null, failure: 'oauth_unexpected' },
    nowSeconds(context.clock),
  )

/** The flow of a provider's redirect, if it arrives in the browser that was sent there. */
export type Callback =
  | { type: 'answered'; flow: store.Flow; title: string }
  /** The state is not ours, or belongs to another provider. */
  | { type: 'foreign' }
  | { type: 'other browser' }
  | { type: 'over' }

export async function takeAnswer(
  context: ServerContext,
  provider: FlowProvider,
  returned: URLSearchParams,
  browserOf: (handle: string) => string | undefined,
): Promise<Callback> {
  const state = returned.get('state') ?? ''
  const leg = await secrets.findLeg(context, state)
  if (!leg) return { type: 'foreign' }
  const { handle, pepper } = leg
  const flow = await findFlow(context, handle)
  if (!flow) return { type: 'over' }
  if (flow.provider !== provider) return { type: 'foreign' }
  const client = await findClient(context, context.db, flow.appId, provider)
  if (!client) return { type: 'foreign' }
  if (!wasSentOn(flow.window, browserOf(handle))) return { type: 'other browser' }
  const read = client.read(returned, state)
  if (read.type === 'failed') context.log.error({ provider, why: read.why }, 'An OAuth provider failed')
  const result = {
    answer:
      read.type === 'code' ? seal(context, handle, 'answer', keepKnownParameters(returned), pepper) : null,
    failure: read.type === 'code' ? null : failures[read.type],
  }
  const answered = await store.answerFlow(context.db, handle, result, nowSeconds(context.clock))
  return answered ? { type: 'answered', flow: answered, title: client.title } : { type: 'over' }
}

/** The sealed answer names the pepper with which its login started. */
const toLeg = (handle: string, answer: string): secrets.Leg => ({ handle, pepper: getPepperName(answer) })

/** Keeps only the known parameters, because a posted form may contain anything. */
const keepKnownParameters = (returned: URLSearchParams): string =>
  new URLSearchParams([...returned].filter(([name]) => ['code', 'state', 'iss'].includes(name))).toString()

const failures = {
  denied: 'oauth_user_denied',
  suspended: 'oauth_account_suspended',
  'wrong code': 'oauth_unexpected',
  'too many': 'oauth_unexpected',
  failed: 'oauth_unexpected',
} as const satisfies Record<Exclude<Exchanged['type'], 'proven'>, store.FlowFailure>

/** Returns the flow's current result for the dialog. */
export function toResult(context: ServerContext, flow: store.Flow): OAuthResult {
  if (flow.failure !== null) return { status: 'failed', error: flow.failure }
  if (flow.answer === null) return { status: 'pending' }
  return {
    status: 'completed',
    authorizationCode: secrets.deriveAuthorizationCode(context, toLeg(flow.handle, flow.answer)),
    stateCode: flow.stateCode,
  }
}

const awaitedFlow = batchReads(
  ({ db, clock }: ServerContext, handles) => store.findFlows(db, handles, nowSeconds(clock)),
  ({ handle }) => handle,
)

/** Waits for the result, for the browser that started the flow and has its secret. */
export async function awaitedResult(
  context: ServerContext,
  app: App,
  { binding }: FlowUse,
  { handle, secret }: { handle: string; secret: string },
  wait: Wait,
): Promise<OAuthResult> {
  let last: OAuthResult = { status: 'pending' }
  const settled = await wait.until(`oauth|${handle}`, oauthLimits.resultWaitMs, async () => {
    const flow = await awaitedFlow(context, handle)
    if (!flow || !belongsTo(flow, app, binding)) throw noSuchFlow()
    if (!equalsInConstantTime(flow.relayChallenge ?? '', createChallenge(secret))) throw noSuchFlow()
    last = toResult(context, flow)
    return last.status === 'pending' ? undefined : last
  })
  return settled ?? last
}

const belongsTo = (flow: store.Flow, app: App, binding: string) =>
  flow.appId === app.id && flow.binding === binding
const noSuchFlow = () => new LatchkeyError('not_found', 'There is no such login, or it is over')

export type Redemption = {
  authorizationCode: string
  stateCode: string
  codeVerifier: string
  /** The provider that the dialog expects, and the proof of its key for it. */
  provider?: CrossAppProvider
  proof?: string
}
/** A consumed code. The provider has not confirmed the login yet. */
export type Redeemed = {
  handle: string
  provider: FlowProvider
  title: string
  answer: string
}

export async function redeemCode(
  trx: Trx,
  context: ServerContext,
  app: App,
  { binding }: FlowUse,
  { authorizationCode, stateCode, codeVerifier, provider: named, proof }: Redemption,
): Promise<Redeemed> {
  const wrongCode = named === undefined ? wrongOAuthCode : wrongWalletCode
  const handle = secrets.parseHandle(authorizationCode)
  // If it throws, the transaction is rolled back. A handle alone therefore consumes no code.
  const flow = await store.useFlow(trx, handle, nowSeconds(context.clock))
  if (!flow || flow.answer === null || !belongsTo(flow, app, binding)) throw wrongCode()
  if (!secrets.isCode(context, toLeg(handle, flow.answer), authorizationCode)) throw wrongCode()
  const { provider } = flow
  // A page that mixes up two providers gets the tokens of neither.
  if (named === undefined ? getFamily(provider).bindsTokens : named !== provider) throw wrongCode()
  if (!equalsInConstantTime(flow.stateCode, stateCode)) {
    throw new LatchkeyError(
      'pkce_state_code_mismatch',
      'Unexpected auth flow. This may be a phishing attempt.',
    )
  }
  if (!equalsInConstantTime(flow.codeChallenge, createChallenge(codeVerifier))) {
    throw new LatchkeyError('invalid_pkce_parameters', 'The verifier is not that of the challenge')
  }
  if (flow.proofKey !== null && getProofKey(proof) !== flow.proofKey) throw wrongProof()
  const { title } = await requireClient(context, trx, app, provider)
  return { handle: flow.handle, provider, title, answer: flow.answer }
}

export async function askProvider(
  context: ServerContext,
  app: App,
  { handle, provider, answer }: Redeemed,
  proof: string | undefined,
  signal: AbortSignal,
): Promise<Exchanged> {
  const returned = new URLSearchParams(unseal(context, handle, 'answer', answer))
  const client = await findClient(context, context.db, app.id, provider)
  if (!client) return { type: 'failed', why: 'the provider is registered no more' }
  return client.exchange(
    returned,
    getRedirectUri(context, provider),
    { ...secrets.deriveLegSecrets(context, toLeg(handle, answer)), proof },
    signal,
  )
}

/** Revokes a token at the provider. A failure is acceptable, because the token is already deleted here. */
export async function revokeToken(
  context: ServerContext,
  app: App,
  provider: FlowProvider,
  token: string,
): Promise<void> {
  const client = await findClient(context, context.db, app.id, provider)
  await client?.revoke?.(token, AbortSignal.timeout(revocationLimits.deadlineMs))
}

/** The type and the identifier under which an account of a provider is kept and found. */
export const toAccount = (provider: FlowProvider, account: AccountKey): NamedAccount => ({
  type: getAccountType(provider),
  identifier: getFamily(provider).toIdentifier(provider, account),
})
export const getAccountType = (provider: FlowProvider): LinkedAccountType =>
  getFamily(provider).accountType(provider)

export const toProvenLogin = (
  provider: FlowProvider,
  { fields, providerSession, ...account }: Profile,
): ProvenLogin => ({
  method: getFamily(provider).method(provider),
  account: { ...toAccount(provider, account), profile: { ...account, ...fields } },
  providerSession,
})

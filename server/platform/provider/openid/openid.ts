/**
 * Configures `oidc-provider` for an app. It stores no login, because the wallet page decides each authorization. It
 * fetches nothing, because clients and keys come from the operator's registration.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { LatchkeyError, product } from '@latchkey/protocol'
import { crossAppScopes } from '@latchkey/protocol/api'
import { type Configuration, errors, Provider } from 'oidc-provider'
import type { ServerContext } from '../../../kernel/context.ts'
import { negotiateLanguage } from '../../../kernel/languages.ts'
import { pageLimits } from '../../../kernel/limits.ts'
import type { App } from '../../../kernel/ports.ts'
import { beginAuthorization } from '../authorizations.ts'
import { providerLimits } from '../limits.ts'
import { claimsByScope, findAccount } from './accounts.ts'
import { adapterFor } from './adapter.ts'
import { browserCookie } from './browser.ts'
import { errorPage, plainPolicy } from './error-page.ts'
import { getIssuer } from './issuer.ts'

/** The only cookie of the library in use. It lets the browser resume the authorization. */
const resumeCookie = `__Secure-${product.key}-openid`
const keptCookies = [`${resumeCookie}=`, `${resumeCookie}.sig=`, `__Host-${product.key}-openid-`]

type Ready = { madeFor: string; provider: Provider }
const ready = new WeakMap<ServerContext['apps'], Map<string, Ready>>()

/** Returns the cached provider while the app's metadata and the keys are unchanged. */
export function getProvider(context: ServerContext, app: App): Provider {
  const { keyring, config } = context
  const providers = ready.get(context.apps) ?? new Map<string, Ready>()
  ready.set(context.apps, providers)
  const madeFor = JSON.stringify([
    getIssuer(config, app),
    app.name,
    app.config.iconUrl,
    keyring.signingKey().id,
    keyring.pepperInUse(),
    keyring.pepperIds(),
  ])
  const cached = providers.get(app.id)
  if (cached?.madeFor === madeFor) return cached.provider
  const provider = makeProvider(context, app)
  providers.delete(app.id)
  providers.set(app.id, { madeFor, provider })
  const [oldest = ''] = providers.keys()
  if (providers.size > providerLimits.readyProviders) providers.delete(oldest)
  return provider
}

function makeProvider(context: ServerContext, app: App): Provider {
  const { log } = context
  const provider = new Provider(getIssuer(context.config, app), configurationFor(context, app))
  // Trusts the forwarded headers, because `answerOpenid` sets them.
  provider.proxy = true
  // Stops Koa from printing errors to the console. They are logged here instead.
  provider.silent = true
  provider.use(async (ctx, next) => {
    ctx.cookies.secure = true
    try {
      await next()
      narrow(ctx.body, ctx.res)
    } catch (error) {
      log.error({ error, app: app.id }, 'The OpenID provider failed')
      throw error
    }
  })
  provider.on('server_error', (_, error) => log.error({ error, app: app.id }, 'The OpenID provider failed'))
  return provider
}

/** Narrows the metadata to the supported response mode and drops unused cookies. */
function narrow(body: unknown, answer: ServerResponse): void {
  if (isMetadata(body)) body.response_modes_supported = ['query']
  const cookies = [answer.getHeader('set-cookie') ?? []].flat().map(String)
  const allowedCookies = cookies.filter((cookie) => keptCookies.some((name) => cookie.startsWith(name)))
  if (allowedCookies.length === 0) answer.removeHeader('set-cookie')
  else answer.setHeader('set-cookie', allowedCookies)
}

const isMetadata = (body: unknown): body is { response_modes_supported: readonly string[] } =>
  typeof body === 'object' && body !== null && 'response_modes_supported' in body

const configurationFor = (context: ServerContext, app: App): Configuration => ({
  adapter: adapterFor(context, app.id),
  scopes: [...crossAppScopes],
  claims: Object.fromEntries(Object.entries(claimsByScope).map(([scope, claims]) => [scope, [...claims]])),
  responseTypes: ['code'],
  subjectTypes: ['public'],
  clientAuthMethods: ['private_key_jwt', 'none'],
  clientDefaults: { id_token_signed_response_alg: 'ES256' },
  enabledJWA: {
    clientAuthSigningAlgValues: ['ES256'],
    idTokenSigningAlgValues: ['ES256'],
    dPoPSigningAlgValues: ['ES256'],
  },
  jwks: { keys: [signingJwk(context)] },
  pkce: { required: () => true },
  allowOmittingSingleRegisteredRedirectUri: false,
  acceptQueryParamAccessTokens: false,
  cookies: {
    keys: cookieKeys(context),
    names: { session: 'session', interaction: 'interaction', resume: resumeCookie },
    short: { httpOnly: true, sameSite: 'none', secure: true },
    long: { httpOnly: true, sameSite: 'none' },
  },
  discovery: {
    [`${product.key}_app_id`]: app.id,
    [`${product.key}_app_name`]: app.name,
    [`${product.key}_icon_url`]: app.config.iconUrl,
    [`${product.key}_custom_api_url`]: app.config.customApiUrl,
  },
  features: {
    devInteractions: { enabled: false },
    dPoP: { enabled: true },
    introspection: {
      enabled: true,
      allowedPolicy: (_, client, token) =>
        client.clientAuthMethod !== 'none' && token.clientId === client.clientId,
    },
    revocation: { enabled: true, allowedPolicy: (_, client, token) => token.clientId === client.clientId },
    pushedAuthorizationRequests: { enabled: false },
    resourceIndicators: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    userinfo: { enabled: false },
  },
  ttl: {
    AccessToken: providerLimits.accessTokenSeconds,
    AuthorizationCode: providerLimits.codeSeconds,
    Grant: providerLimits.grantSeconds,
    IdToken: providerLimits.idTokenSeconds,
    Interaction: providerLimits.interactionSeconds,
    RefreshToken: providerLimits.refreshTokenSeconds,
    Session: providerLimits.interactionSeconds,
  },
  issueRefreshToken: async () => true,
  rotateRefreshToken: true,
  expiresWithSession: async () => false,
  clientBasedCORS: (_, origin, client) =>
    (client.redirectUris ?? []).some((address) => new URL(address).origin === origin),
  assertJwtClientAuthClaimsAndHeader: async () => {},
  extraTokenClaims: async () => undefined,
  revokeGrantPolicy: () => true,
  fetch: () => Promise.reject(new Error('The OpenID provider must not fetch')),
  findAccount: (ctx, userId) => findAccount(context, app, userId, ctx.oidc.client?.clientId),
  interactions: {
    async url(ctx, { uid, params }) {
      const clientId = ctx.oidc.client?.clientId ?? ''
      const scopes = [...ctx.oidc.requestParamOIDCScopes]
      if (!scopes.includes('openid'))
        throw new errors.InvalidScope('The scope openid is required', String(params.scope))
      const secret = await beginAuthorization(context, { appId: app.id, interaction: uid, clientId, scopes })
      ctx.append('set-cookie', browserCookie(uid, secret, providerLimits.interactionSeconds))
      return `${context.config.walletOrigin}/apps/${app.id}/cross-app#authorize.${uid}`
    },
  },
  renderError(ctx, { error, error_description: description }) {
    ctx.type = 'html'
    ctx.set('content-security-policy', plainPolicy)
    ctx.body = errorPage(negotiateLanguage(ctx.get('accept-language')), 'failed', error, description)
  },
})

function signingJwk({ keyring }: ServerContext) {
  const { id, privateKey } = keyring.signingKey()
  const { kty, crv, x, y, d } = privateKey.export({ format: 'jwk' })
  return { kty, crv, x, y, d, kid: id, alg: 'ES256', use: 'sig' }
}

/** Returns the cookie keys. The first one signs, and all of them verify. */
function cookieKeys({ keyring }: ServerContext): string[] {
  const first = keyring.pepperInUse()
  const ids = [first, ...keyring.pepperIds().filter((id) => id !== first)]
  return ids.map((id) => Buffer.from(keyring.pepper('provider/cookies', id)).toString('base64url'))
}

/** The default headers of the server. `oidc-provider` bypasses the server, so they are set here. */
const answerHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'strict-transport-security': `max-age=${pageLimits.hstsMaxAgeSeconds}; includeSubDomains`,
  'x-content-type-options': 'nosniff',
} as const

/**
 * Lets `oidc-provider` respond to the Node.js request. Overwrites host and forwarded headers with the configured
 * issuer, because the proxy headers were already verified.
 */
export async function answerOpenid(
  context: ServerContext,
  app: App,
  incoming: IncomingMessage & { originalUrl?: string },
  outgoing: ServerResponse,
): Promise<void> {
  const issuer = new URL(getIssuer(context.config, app))
  const { url = '/' } = incoming
  if (!url.startsWith(issuer.pathname)) throw new LatchkeyError('not_found', 'There is nothing here')
  for (const name of ['x-forwarded-for', 'x-forwarded-host', 'forwarded']) delete incoming.headers[name]
  incoming.headers['x-forwarded-proto'] = issuer.protocol.slice(0, -1)
  incoming.headers.host = issuer.host
  incoming.originalUrl = url
  incoming.url = url.slice(issuer.pathname.length)
  for (const [name, value] of Object.entries(answerHeaders)) outgoing.setHeader(name, value)
  await getProvider(context, app).callback()(incoming, outgoing)
}

/** The server's exchange with an OAuth provider: authorization URL, redirect, token request and profile. */
import { createHash } from 'node:crypto'
import {
  type CrossAppProvider,
  type NamedLoginMethod,
  type OAuthTokens,
  type OidcProvider,
  serverLimits,
  socialProviders,
} from '@latchkey/protocol'
import * as oauth from 'oauth4webapi'
import * as v from 'valibot'
import type { ServerContext } from '../../../kernel/context.ts'
import type { Reader } from '../../../kernel/ports.ts'
import { registryKey } from '../../../kernel/registry.ts'
import { fetchThirdParty } from '../../../kernel/third-party-fetch.ts'
import type { OAuthClient, OAuthSettings } from '../environment.ts'
import type { KnownProvider, OAuthProvider, Profile, Refused } from '../provider.ts'
import { getTitle, providers } from '../providers.ts'
import { createClientAuthentication, userAgent } from './client-authentication.ts'
import { type ProviderRefusal, toProviderRefusal } from './refusal.ts'

/** The secrets of one authorization request, known to this server and the provider only. */
export type LegSecrets = { state: string; verifier: string; nonce: string }

/** The result of the redirect. */
export type Returned = { type: 'code' } | ProviderRefusal

export type ProviderTokens = Omit<OAuthTokens, 'provider'>

export type Exchanged = { type: 'proven'; profile: Profile; tokens: ProviderTokens } | ProviderRefusal

/**
 * A client of one provider. It resolves to a refusal for each known error, and rejects if the provider is unreachable.
 */
export type ProviderClient = {
  title: string
  /** `challenge` is the S256 challenge of the verifier. `proofKey` is the browser key to which tokens are bound. */
  authorizationUrl: (
    redirectUri: string,
    leg: Pick<LegSecrets, 'state' | 'nonce'> & {
      challenge: string
      proofKey?: string | null
    },
  ) => string
  read: (returned: URLSearchParams, state: string) => Returned
  exchange: (
    returned: URLSearchParams,
    redirectUri: string,
    /** `proof` is the browser's DPoP proof for the token endpoint (RFC 9449). */
    secrets: LegSecrets & { proof?: string | undefined },
    signal: AbortSignal,
  ) => Promise<Exchanged>
  /** Revokes a token. */
  revoke?: (token: string, signal: AbortSignal) => Promise<void>
}

/** The providers for which the operator configured a client. */
export type ProviderClients = ReadonlyMap<KnownProvider, ProviderClient>
export const providerClients = registryKey<ProviderClients>('the OAuth providers')

/**
 * Providers of one kind that operators configured for their apps. Returns undefined for others. It uses only the given
 * reader, so that transactions may call it.
 */
export type AppProviders<Provider extends NamedLoginMethod> = (
  context: ServerContext,
  reader: Reader,
  appId: string,
  provider: Provider,
) => Promise<ProviderClient | undefined>
export const walletProviders = registryKey<AppProviders<CrossAppProvider>>('the providers of wallets')
export const oidcProviders = registryKey<AppProviders<OidcProvider>>('the OpenID providers of apps')

export function createProviderClients({ clients, providersUrl }: OAuthSettings): ProviderClients {
  const clientsByName = new Map<KnownProvider, ProviderClient>()
  for (const name of socialProviders) {
    const account = clients[name]
    if (account) clientsByName.set(name, createBuiltInClient(name, account, providersUrl))
  }
  if (clients.google) {
    clientsByName.set('google-drive', createBuiltInClient('google-drive', clients.google, providersUrl))
  }
  return clientsByName
}

/** Returns the URL at the provider, or below the sandbox's base URL. */
const atProvider = (address: string, providersUrl: string | undefined) =>
  providersUrl === undefined ? address : providersUrl + address.slice('https:/'.length)

/** Returns the token endpoint, the provider URL that this server requests at every login. */
export const tokenEndpoint = (name: KnownProvider, providersUrl: string | undefined): string =>
  atProvider(providers[name].token, providersUrl)

function createBuiltInClient(
  name: KnownProvider,
  account: OAuthClient,
  providersUrl: string | undefined,
): ProviderClient {
  const provider = providers[name]
  return createProviderClient(provider, account, {
    title: getTitle(name),
    at: (address) => atProvider(address, providersUrl),
    send: (url, request) => fetchThirdParty(url, { ...request, party: getHost(provider) }),
    keys: {},
  })
}

/** A request to a provider. */
type ProviderRequest = {
  method?: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
  signal?: AbortSignal
}

/** How this server reaches a provider. */
export type ProviderAccess = {
  title: string
  /** Returns the real URL, or the one of a sandbox. */
  at: (address: string) => string
  /** Rejects responses that are late, too long or redirects. */
  send: (url: string, request: ProviderRequest) => Promise<Response>
  keys: oauth.JWKSCacheInput
}

export function createProviderClient(
  provider: OAuthProvider,
  account: OAuthClient,
  { title, at, send, keys }: ProviderAccess,
): ProviderClient {
  const { profile } = provider
  const as: oauth.AuthorizationServer = {
    issuer: at(provider.issuer),
    token_endpoint: at(provider.token),
    ...(profile.from === 'id token' && { jwks_uri: at(profile.jwks) }),
    ...(provider.redirectsWithIssuer && { authorization_response_iss_parameter_supported: true }),
    ...(provider.idTokenAlgorithms && {
      id_token_signing_alg_values_supported: [...provider.idTokenAlgorithms],
    }),
  }
  const client: oauth.Client = {
    client_id: account.id,
    [oauth.clockTolerance]: serverLimits.clockSkewSeconds,
  }
  const authentication = createClientAuthentication(provider, account)
  const isInsecure = as.issuer.startsWith('http:')

  return {
    title,

    authorizationUrl(redirectUri, { state, challenge, nonce }) {
      const url = new URL(at(provider.authorization))
      const parameters: Readonly<Record<string, string>> = {
        [provider.clientIdParameter]: account.id,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: provider.scopes.join(provider.scopeSeparator),
        state,
        ...provider.parameters,
        ...(profile.from === 'id token' && { nonce }),
        ...(provider.pkce && {
          code_challenge: challenge,
          code_challenge_method: 'S256',
        }),
      }
      for (const [parameter, value] of Object.entries(parameters)) url.searchParams.set(parameter, value)
      return url.href
    },

    read(returned, state) {
      try {
        const validated = oauth.validateAuthResponse(as, client, returned, state)
        if (validated.get('code')) return { type: 'code' }
        return { type: 'failed', why: 'the redirect has no code' }
      } catch (error) {
        if (!(error instanceof oauth.AuthorizationResponseError))
          return { type: 'failed', why: describeError(error) }
        if (provider.deniedErrors.includes(error.error) && !isSuspended(error.error_description)) {
          return { type: 'denied' }
        }
        const body = { error: error.error, error_description: error.error_description }
        return toProviderRefusal(provider, { status: 400, body, headers: new Headers() })
      }
    },

    async exchange(returned, redirectUri, { state, verifier, nonce }, signal) {
      const watched = watchedFetch(provider, send)
      const options = {
        signal,
        headers: { 'user-agent': userAgent },
        [oauth.customFetch]: watched.fetch,
        [oauth.allowInsecureRequests]: isInsecure,
      }
      const response = await oauth.authorizationCodeGrantRequest(
        as,
        client,
        authentication,
        oauth.validateAuthResponse(as, client, returned, state),
        redirectUri,
        provider.pkce ? verifier : oauth.nopkce,
        options,
      )
      const refused = watched.refused()
      if (refused) return toProviderRefusal(provider, refused)
      try {
        const hasIdToken = profile.from === 'id token'
        const tokens = await oauth.processAuthorizationCodeResponse(
          as,
          client,
          response,
          hasIdToken ? { expectedNonce: nonce, requireIdToken: true } : {},
        )
        if (hasIdToken) {
          await oauth.validateApplicationLevelSignature(as, response, { ...options, [oauth.jwksCache]: keys })
        }
        const outcome = hasIdToken
          ? profile.read(requireAccessTokenHash(tokens))
          : await fetchProfile(provider, profile, tokens.access_token, { at, send }, signal)
        return 'type' in outcome ? outcome : { type: 'proven', profile: outcome, tokens: toTokens(tokens) }
      } catch (error) {
        signal.throwIfAborted()
        return { type: 'failed', why: describeError(error) }
      }
    },
  }
}

/** Returns the provider's real host, even if a sandbox is used. */
const getHost = ({ issuer }: OAuthProvider) => new URL(issuer).host

/** Creates a fetch that converts token responses to the format of RFC 6749, and records refusals. */
function watchedFetch(provider: OAuthProvider, send: ProviderAccess['send']) {
  const { tokenAnswer } = provider
  let refused: Refused | undefined
  return {
    refused: () => refused,
    async fetch(
      url: string,
      options: oauth.CustomFetchOptions<'GET' | 'POST', URLSearchParams | undefined>,
    ): Promise<Response> {
      const { body: sentForm, signal, ...request } = options
      const response = await send(url, {
        ...request,
        ...(sentForm && { body: sentForm.toString() }),
        ...(signal && { signal }),
      })
      if (options.method !== 'POST') return response
      const text = await response.text()
      const body = parseJson(text)
      const shaped = tokenAnswer && body !== undefined ? tokenAnswer(body) : body
      const { status, headers } = response
      // Some providers report errors with status 200.
      if (!response.ok || v.is(refusal, shaped)) refused = { status, headers, body: shaped }
      const content = shaped === undefined ? text : JSON.stringify(shaped)
      return new Response(content, { status, headers: { 'content-type': headers.get('content-type') ?? '' } })
    },
  }
}
const refusal = v.object({ error: v.string() })

async function fetchProfile(
  provider: OAuthProvider,
  { urls, tokenIn, read }: Extract<OAuthProvider['profile'], { from: 'requests' }>,
  token: string,
  { at, send }: Pick<ProviderAccess, 'at' | 'send'>,
  signal: AbortSignal,
): Promise<Profile | ProviderRefusal> {
  const answers: unknown[] = []
  for (const address of urls) {
    const url = new URL(at(address))
    if (tokenIn === 'query') url.searchParams.set('access_token', token)
    const response = await send(url.href, {
      headers: {
        accept: 'application/json',
        'user-agent': userAgent,
        ...(tokenIn === undefined && { authorization: `Bearer ${token}` }),
      },
      signal,
    })
    const { ok, status, headers } = response
    const body = parseJson(await response.text())
    if (!ok) return toProviderRefusal(provider, { status, headers, body })
    answers.push(body)
  }
  return read(answers)
}

/** Returns the claims of a validated ID token. Throws if it belongs to another access token (OpenID Core, 3.1.3.6). */
function requireAccessTokenHash(tokens: oauth.TokenEndpointResponse): oauth.IDToken | undefined {
  const claims = oauth.getValidatedIdTokenClaims(tokens)
  if (claims?.at_hash === undefined || tokens.id_token === undefined) return claims
  const { alg } = v.parse(
    algorithmHeader,
    parseJson(Buffer.from(tokens.id_token.split('.')[0] ?? '', 'base64url').toString()),
  )
  // The hash of the signature: SHA-512 for EdDSA with Ed25519.
  const digest = createHash(`sha${/[1-9]\d{2}$/.exec(alg)?.[0] ?? '512'}`)
    .update(tokens.access_token)
    .digest()
  if (claims.at_hash !== digest.subarray(0, digest.length / 2).toString('base64url')) {
    throw new Error('at_hash belongs to another access token')
  }
  return claims
}
const algorithmHeader = v.object({ alg: v.string() })

const refreshTokenLife = v.object({ refresh_token_expires_in: v.number() })

const toTokens = (tokens: oauth.TokenEndpointResponse): ProviderTokens => ({
  accessToken: tokens.access_token,
  accessTokenExpiresInSeconds: tokens.expires_in ?? null,
  refreshToken: tokens.refresh_token ?? null,
  refreshTokenExpiresInSeconds: v.is(refreshTokenLife, tokens) ? tokens.refresh_token_expires_in : null,
  scopes: tokens.scope?.split(/[ ,]+/).filter((scope) => scope !== '') ?? null,
})

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isSuspended = (description: string | undefined) => /suspended/i.test(description ?? '')

/** Returns the error's name for the log, without its message. */
const describeError = (error: unknown) =>
  error instanceof Error ? ('code' in error ? String(error.code) : error.name) : typeof error

/**
 * The client of a cross-app provider: authorization, redirect, tokens and profile. The server authenticates with its
 * own key (RFC 7523) and forwards the browser's proof (RFC 9449), so that the tokens work in that browser only. A
 * provider is trusted for statements about its own users only.
 */
import { serverLimits, walletAddress } from '@latchkey/protocol'
import * as oauth from 'oauth4webapi'
import * as v from 'valibot'
import type { ServerContext } from '../../kernel/context.ts'
import { SsrfSafeFetchError, ssrfSafeFetch } from '../../kernel/ssrf-safe-fetch.ts'
import {
  type Exchanged,
  type Profile,
  type ProviderClient,
  type ProviderRefusal,
  type ProviderTokens,
  userAgent,
} from '../oauth/oauth.ts'
import { crossAppClientLimits } from './limits.ts'
import { getPrivateKey, listScopes, type Provider } from './providers.ts'

type Failed = Extract<ProviderRefusal, { type: 'failed' }>
export type Renewed = { type: 'renewed'; tokens: ProviderTokens } | ProviderRefusal

export type WalletProviderClient = Required<ProviderClient> & {
  /** Refreshes tokens of this user only. Returns `wrong code` if the refresh token has expired. */
  renew: (
    refreshToken: string,
    of: { subject: string; proof: string },
    signal: AbortSignal,
  ) => Promise<Renewed>
}

export function walletProviderClient(context: ServerContext, provider: Provider): WalletProviderClient {
  const { issuer, endpoints, clientId, publicKey, name } = provider
  const as: oauth.AuthorizationServer = {
    issuer,
    token_endpoint: endpoints.token,
    jwks_uri: endpoints.jwks,
    // A response of another provider has a different issuer, or none, and is rejected.
    authorization_response_iss_parameter_supported: true,
    id_token_signing_alg_values_supported: ['ES256'],
    ...(endpoints.revocation !== null && { revocation_endpoint: endpoints.revocation }),
  }
  const client: oauth.Client = {
    client_id: clientId,
    id_token_signed_response_alg: 'ES256',
    [oauth.clockTolerance]: serverLimits.clockSkewSeconds,
  }
  const toRequestOptions = (signal: AbortSignal) => ({
    signal,
    headers: { 'user-agent': userAgent },
    [oauth.customFetch]: ask,
    [oauth.allowInsecureRequests]: issuer.startsWith('http:'),
  })
  const authenticated = async (proof?: string): Promise<oauth.ClientAuth> => {
    const key = await getPrivateKey(context, provider)
    const sign = oauth.PrivateKeyJwt({ key, kid: publicKey.kid })
    return async (...[server, own, body, headers]) => {
      await sign(server, own, body, headers)
      if (proof !== undefined) headers.set('dpop', proof)
    }
  }
  /** Returns the subject of the tokens, or undefined. */
  const readClaims = async (
    tokens: oauth.TokenEndpointResponse,
    response: Response,
    signal: AbortSignal,
  ): Promise<v.InferOutput<typeof claimsSchema> | undefined> => {
    const claims = oauth.getValidatedIdTokenClaims(tokens)
    if (!claims) return undefined
    await oauth.validateApplicationLevelSignature(as, response, toRequestOptions(signal))
    return v.parse(claimsSchema, claims)
  }

  return {
    title: name,

    authorizationUrl(redirectUri, { state, challenge, nonce, proofKey }) {
      const url = new URL(endpoints.authorization)
      const parameters: Readonly<Record<string, string>> = {
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: listScopes(provider).join(' '),
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        ...(proofKey != null && { dpop_jkt: proofKey }),
      }
      for (const [parameter, value] of Object.entries(parameters)) url.searchParams.set(parameter, value)
      return url.href
    },

    read(returned, state) {
      try {
        const validated = oauth.validateAuthResponse(as, client, returned, state)
        return validated.get('code') ? { type: 'code' } : { type: 'failed', why: 'the redirect has no code' }
      } catch (error) {
        const isDenied = error instanceof oauth.AuthorizationResponseError && error.error === 'access_denied'
        return isDenied ? { type: 'denied' } : failure(error)
      }
    },

    async exchange(returned, redirectUri, { state, verifier, nonce, proof }, signal) {
      const authentication = await authenticated(proof)
      return callProvider<Exchanged>(signal, async (heard) => {
        const response = await oauth.authorizationCodeGrantRequest(
          as,
          client,
          authentication,
          oauth.validateAuthResponse(as, client, returned, state),
          redirectUri,
          verifier,
          toRequestOptions(signal),
        )
        heard()
        const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, {
          expectedNonce: nonce,
          requireIdToken: true,
        })
        const claims = await readClaims(tokens, response, signal)
        if (!claims) return { type: 'failed', why: 'no id token' }
        return { type: 'proven', profile: toProfile(provider, claims), tokens: tokensIn(provider, tokens) }
      })
    },

    async renew(refreshToken, { subject, proof }, signal) {
      const authentication = await authenticated(proof)
      return callProvider<Renewed>(signal, async (heard) => {
        const response = await oauth.refreshTokenGrantRequest(
          as,
          client,
          authentication,
          refreshToken,
          toRequestOptions(signal),
        )
        heard()
        const tokens = await oauth.processRefreshTokenResponse(as, client, response)
        const claims = await readClaims(tokens, response, signal)
        if (claims && claims.sub !== subject) {
          context.log.error({ provider: name }, 'A provider renewed the tokens of somebody else')
          return { type: 'wrong code' }
        }
        return { type: 'renewed', tokens: tokensIn(provider, tokens) }
      })
    },

    async revoke(token, signal) {
      if (endpoints.revocation === null) return
      const authentication = await authenticated()
      const response = await oauth.revocationRequest(
        as,
        client,
        authentication,
        token,
        toRequestOptions(signal),
      )
      await oauth.processRevocationResponse(response)
    },
  }
}

const ask = (
  url: string,
  { method, headers, body, signal }: oauth.CustomFetchOptions<'GET' | 'POST', URLSearchParams | undefined>,
): Promise<Response> =>
  ssrfSafeFetch(url, {
    party: 'cross_app',
    method,
    headers,
    signal,
    ...(body && { body: body.toString() }),
  })

/**
 * Returns every provider response as a result. Throws only if it is unknown whether the provider processed the request.
 */
async function callProvider<Answer>(
  signal: AbortSignal,
  work: (heard: () => void) => Promise<Answer>,
): Promise<Answer | ProviderRefusal> {
  let isHeard = false
  try {
    return await work(() => {
      isHeard = true
    })
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof oauth.ResponseBodyError) return toRefusal(error)
    if (isHeard || error instanceof SsrfSafeFetchError) return failure(error)
    throw error
  }
}

const tooManyRequests = 429

function toRefusal({ status, error, response }: oauth.ResponseBodyError): ProviderRefusal {
  if (status === tooManyRequests) {
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    return { type: 'too many', retryAfterSeconds: Number.isFinite(seconds) ? seconds : null }
  }
  if (error === 'invalid_grant') return { type: 'wrong code' }
  if (error === 'access_denied') return { type: 'denied' }
  return { type: 'failed', why: `status ${status}, error ${/^[\w-]{1,64}$/.test(error) ? error : 'none'}` }
}

/** Returns the error's name for the log, without its message. */
const failure = (error: unknown): Failed => ({
  type: 'failed',
  why: error instanceof Error ? ('code' in error ? String(error.code) : error.name) : typeof error,
})

const subject = v.pipe(
  v.string(),
  v.nonEmpty(),
  v.maxLength(crossAppClientLimits.longestSubject),
  v.regex(/^\P{C}*$/u),
)
const claimsSchema = v.object({
  sub: subject,
  /** The user's wallets, if the user allows reading them. */
  wallets: v.optional(
    v.pipe(v.array(v.object({ address: walletAddress })), v.maxLength(crossAppClientLimits.mostWallets)),
    [],
  ),
})

const toProfile = (
  { providerAppId }: Provider,
  { sub, wallets }: v.InferOutput<typeof claimsSchema>,
): Profile => ({
  subject: sub,
  fields: { providerAppId, embeddedWallets: wallets.map(({ address }) => ({ address })), smartWallets: [] },
})

/** Characters that are valid in a header. */
const token = v.pipe(v.string(), v.maxLength(crossAppClientLimits.longestToken), v.regex(/^[\x21-\x7e]+$/))
const tokensSchema = v.object({
  // Bearer tokens are rejected, because they work in any browser.
  token_type: v.literal('dpop'),
  access_token: token,
  refresh_token: v.optional(token),
  expires_in: v.optional(v.number()),
  scope: v.optional(v.pipe(v.string(), v.maxLength(crossAppClientLimits.longestToken))),
})

function tokensIn(provider: Provider, answer: oauth.TokenEndpointResponse): ProviderTokens {
  const { access_token, refresh_token, expires_in, scope } = v.parse(tokensSchema, answer)
  return {
    accessToken: access_token,
    accessTokenExpiresInSeconds: expires_in ?? null,
    refreshToken: refresh_token ?? null,
    // RFC 6749, 5.1: an omitted scope equals the requested one.
    scopes: scope?.split(' ').filter((one) => one !== '') ?? [...listScopes(provider)],
  }
}

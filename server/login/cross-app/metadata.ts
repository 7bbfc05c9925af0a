/**
 * Reads the metadata of another app's OpenID provider (OpenID Connect Discovery 1.0), when the operator registers or
 * updates it. The issuer must match, and all endpoints must be on its origin, so that metadata can not redirect users
 * or calls elsewhere.
 */
import { appId, exactOrigin } from '@latchkey/protocol'
import * as v from 'valibot'
import { isAllowedUrl, type Resolve, ssrfSafeFetch } from '../../kernel/ssrf-safe-fetch.ts'
import { userAgent } from '../oauth/oauth.ts'
import { crossAppClientLimits } from './limits.ts'

const address = v.pipe(v.string(), v.maxLength(crossAppClientLimits.longestAddress))
const listing = (needed: string, says: string) =>
  v.pipe(
    v.optional(v.array(v.string()), []),
    v.check((list) => list.includes(needed), says),
  )

/** Names must not contain invisible or bidirectional control characters. */
export const providerName = v.pipe(
  v.string(),
  v.trim(),
  v.nonEmpty('must not be empty'),
  v.maxLength(crossAppClientLimits.longestName),
  v.regex(/^\P{C}*$/u, 'must not have characters that nobody sees'),
)
export const providerIcon = v.pipe(
  address,
  v.check(isAllowedUrl, 'must be the https address of an image, except on this machine'),
)

const endpointNames = ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'revocation_endpoint'] as const

const documentSchema = v.object({
  issuer: address,
  authorization_endpoint: address,
  token_endpoint: address,
  jwks_uri: address,
  revocation_endpoint: v.optional(address),
  code_challenge_methods_supported: listing('S256', 'must list S256'),
  token_endpoint_auth_methods_supported: listing('private_key_jwt', 'must list private_key_jwt'),
  dpop_signing_alg_values_supported: listing('ES256', 'must list ES256'),
  id_token_signing_alg_values_supported: listing('ES256', 'must list ES256'),
  // Without it, responses of two providers could be swapped (RFC 9207).
  authorization_response_iss_parameter_supported: v.literal(true, 'must be true'),
  latchkey_app_id: appId,
  latchkey_app_name: providerName,
  latchkey_icon_url: v.optional(v.nullable(v.fallback(v.nullable(providerIcon), null)), null),
  latchkey_custom_api_url: v.optional(
    v.nullable(
      v.pipe(
        v.string(),
        v.check(
          (value) => exactOrigin(value) !== undefined && isAllowedUrl(value),
          'must be an https origin',
        ),
      ),
    ),
    null,
  ),
})

/** The provider's endpoints, stored as JSON. */
export const endpointsSchema = v.object({
  authorization: v.string(),
  token: v.string(),
  jwks: v.string(),
  revocation: v.nullable(v.string()),
})
export type Endpoints = v.InferOutput<typeof endpointsSchema>

export type Described = {
  issuer: string
  appId: string
  name: string
  iconUrl: string | null
  customApiUrl: string | null
  endpoints: Endpoints
}

export type Discovery =
  | { type: 'described'; described: Described }
  /** Contains one line per problem, for the operator. */
  | { type: 'refused'; lines: readonly string[] }

const refused = (...lines: readonly string[]): Discovery => ({ type: 'refused', lines })

/** Requires the canonical spelling of an issuer, to which paths are appended. */
const isIssuer = (issuer: string) => {
  const url = URL.parse(issuer)
  if (!url || issuer.length > crossAppClientLimits.longestAddress || !isAllowedUrl(issuer)) return false
  return url.search === '' && url.hash === '' && !issuer.endsWith('/') && url.origin + url.pathname === issuer
}

export async function discover(issuer: string, resolve?: Resolve): Promise<Discovery> {
  if (!isIssuer(issuer)) {
    return refused(
      `${issuer} is no issuer: https://…/apps/<app id>/openid, without a slash at the end; http on this machine alone`,
    )
  }
  const url = `${issuer}/.well-known/openid-configuration`
  let document: unknown
  try {
    const headers = { accept: 'application/json', 'user-agent': userAgent }
    const answer = await ssrfSafeFetch(url, { party: 'cross_app', headers }, resolve)
    if (!answer.ok) return refused(`${url} answers with ${answer.status}`)
    document = await answer.json()
  } catch (error) {
    return refused(`${url} could not be read: ${toReason(error)}`)
  }
  return describedBy(issuer, document)
}

const toReason = (error: unknown) => (error instanceof Error ? error.message : typeof error)

export function describedBy(issuer: string, document: unknown): Discovery {
  const parsed = v.safeParse(documentSchema, document)
  if (!parsed.success) {
    return refused(...parsed.issues.map((issue) => `${v.getDotPath(issue) ?? 'It'}: ${issue.message}`))
  }
  const metadata = parsed.output
  if (metadata.issuer !== issuer) return refused(`issuer: it calls itself ${metadata.issuer}`)
  const { origin } = new URL(issuer)
  const elsewhere = endpointNames.filter((name) => {
    const endpoint = metadata[name]
    return endpoint !== undefined && (!isAllowedUrl(endpoint) || new URL(endpoint).origin !== origin)
  })
  if (elsewhere.length > 0) return refused(...elsewhere.map((name) => `${name}: it is not on ${origin}`))
  // Browsers open these URLs, so localhost is allowed only if the provider is there as well.
  const insecure = (['latchkey_icon_url', 'latchkey_custom_api_url'] as const).filter(
    (name) => origin.startsWith('https:') && metadata[name]?.startsWith('https:') === false,
  )
  if (insecure.length > 0) return refused(...insecure.map((name) => `${name}: it is not https`))
  return {
    type: 'described',
    described: {
      issuer,
      appId: metadata.latchkey_app_id,
      name: metadata.latchkey_app_name,
      iconUrl: metadata.latchkey_icon_url,
      customApiUrl: metadata.latchkey_custom_api_url,
      endpoints: {
        authorization: metadata.authorization_endpoint,
        token: metadata.token_endpoint,
        jwks: metadata.jwks_uri,
        revocation: metadata.revocation_endpoint ?? null,
      },
    },
  }
}

/** Reads the discovery document of an OpenID provider (OpenID Connect Discovery 1.0). */
import * as v from 'valibot'
import {
  isAllowedUrl,
  isLocalHost,
  isPublicUrl,
  type Resolve,
  ssrfSafeFetch,
} from '../../kernel/ssrf-safe-fetch.ts'
import { userAgent } from '../oauth/oauth.ts'
import { oidcLimits } from './limits.ts'

/** Accepted signatures. With HMAC or `none`, public data would be enough to sign a token. */
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const

const address = v.pipe(v.string(), v.maxLength(oidcLimits.longestAddress))
const documentSchema = v.object({
  issuer: address,
  authorization_endpoint: address,
  token_endpoint: address,
  jwks_uri: address,
  id_token_signing_alg_values_supported: v.pipe(
    v.array(v.string()),
    v.transform((list) => algorithms.filter((name) => list.includes(name))),
    v.nonEmpty(`must list one of ${algorithms.join(', ')}`),
  ),
  // Providers that support PKCE may omit the list, and those without it ignore the parameters.
  code_challenge_methods_supported: v.optional(
    v.pipe(
      v.array(v.string()),
      v.check((list) => list.includes('S256'), 'must list S256'),
    ),
  ),
  token_endpoint_auth_methods_supported: v.pipe(
    v.optional(v.array(v.string()), ['client_secret_basic']),
    v.transform((list) =>
      list.includes('client_secret_basic')
        ? 'encoded basic'
        : list.includes('client_secret_post')
          ? 'post'
          : undefined,
    ),
    v.picklist(['encoded basic', 'post'], 'must list client_secret_basic or client_secret_post'),
  ),
  authorization_response_iss_parameter_supported: v.optional(v.boolean(), false),
})

/** The parts of the document that the server uses. */
export const metadataSchema = v.object({
  authorization: v.string(),
  token: v.string(),
  jwks: v.string(),
  authentication: v.picklist(['encoded basic', 'post']),
  algorithms: v.array(v.picklist(algorithms)),
  redirectsWithIssuer: v.boolean(),
})
export type Metadata = v.InferOutput<typeof metadataSchema>

export type Discovery =
  | { type: 'found'; metadata: Metadata }
  /** Contains one line per problem, for the operator. */
  | { type: 'refused'; lines: string[] }
const refused = (...lines: string[]): Discovery => ({ type: 'refused', lines })

/** Requires https (or this machine) and no query, as OpenID Connect defines an issuer. */
function isIssuer(issuer: string): boolean {
  const url = URL.parse(issuer)
  if (!url || issuer.length > oidcLimits.longestAddress || !isAllowedUrl(issuer)) return false
  return !/[?#\s]/.test(issuer) && issuer.startsWith(url.origin)
}

export async function discover(issuer: string, resolve?: Resolve): Promise<Discovery> {
  if (!isIssuer(issuer)) return refused(`${issuer} is not an issuer: use its https URL without a query`)
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  try {
    const headers = { accept: 'application/json', 'user-agent': userAgent }
    const response = await ssrfSafeFetch(url, { party: 'oidc', headers }, resolve)
    if (!response.ok) return refused(`${url} responded with ${response.status}`)
    return readDocument(issuer, await response.json())
  } catch (error) {
    return refused(`${url} could not be read: ${error instanceof Error ? error.message : typeof error}`)
  }
}

const endpointNames = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const

export function readDocument(issuer: string, body: unknown): Discovery {
  const parsed = v.safeParse(documentSchema, body)
  if (!parsed.success) {
    return refused(...parsed.issues.map((issue) => `${v.getDotPath(issue) ?? 'document'}: ${issue.message}`))
  }
  const document = parsed.output
  if (document.issuer !== issuer) return refused(`issuer: the document names ${document.issuer}`)
  const isLocal = isLocalHost(new URL(issuer).hostname)
  const wrong = endpointNames.filter((name) => !(isLocal ? isAllowedUrl : isPublicUrl)(document[name]))
  if (wrong.length > 0) return refused(...wrong.map((name) => `${name}: must be a public https URL`))
  return {
    type: 'found',
    metadata: {
      authorization: document.authorization_endpoint,
      token: document.token_endpoint,
      jwks: document.jwks_uri,
      authentication: document.token_endpoint_auth_methods_supported,
      algorithms: document.id_token_signing_alg_values_supported,
      redirectsWithIssuer: document.authorization_response_iss_parameter_supported,
    },
  }
}

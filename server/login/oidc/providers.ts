/** The OpenID providers of an app, configured by its operator. */
import { createHash } from 'node:crypto'
import type { OidcProvider } from '@latchkey/protocol'
import type { OidcConnection } from '@latchkey/protocol/api'
import type { JWKSCacheInput } from 'oauth4webapi'
import * as v from 'valibot'
import { subjectLimits } from '../../kernel/limits.ts'
import { type Clock, type Kms, nowSeconds, type Reader } from '../../kernel/ports.ts'
import { ssrfSafeFetch } from '../../kernel/ssrf-safe-fetch.ts'
import {
  type AppProviders,
  createProviderClient,
  defaults,
  type OAuthProvider,
  optionalText,
  type Profile,
  type ProviderClient,
} from '../oauth/oauth.ts'
import { type Metadata, metadataSchema } from './discovery.ts'
import { oidcLimits } from './limits.ts'
import * as store from './store.ts'

export type Provider = Pick<store.ProviderRow, 'id' | 'name' | 'issuer'> & {
  clientId: string
  metadata: Metadata
  isDisabled: boolean
}

const toProvider = ({ id, name, issuer, client_id, metadata, disabled_at }: store.ProviderRow): Provider => ({
  id,
  name,
  issuer,
  clientId: client_id,
  metadata: v.parse(metadataSchema, JSON.parse(metadata)),
  isDisabled: disabled_at !== null,
})

export const listProviders = async (reader: Reader, appId: string): Promise<Provider[]> =>
  (await store.findProviders(reader, appId)).map(toProvider)

export async function findProvider(reader: Reader, appId: string, id: string): Promise<Provider | undefined> {
  const row = await store.findProvider(reader, appId, id)
  return row && toProvider(row)
}

export const toLoginMethod = (id: string): OidcProvider => `oidc:${id}`
const toId = (provider: OidcProvider): string => provider.slice('oidc:'.length)

/** The path of the back-channel logout URI. */
export const logoutPath = (appId: string, id: string) => `/apps/${appId}/oidc/${id}/backchannel-logout`

/** Returns the URIs to register at a provider. */
export const getProviderUris = ({ id }: Pick<Provider, 'id'>, appId: string, dialogOrigin: string) => ({
  redirectUri: `${dialogOrigin}/oauth/callback/${toLoginMethod(id)}`,
  logoutUri: `${dialogOrigin}${logoutPath(appId, id)}`,
})

export const toConnection = ({ id, name, issuer }: Provider): OidcConnection => ({
  provider: toLoginMethod(id),
  name,
  issuer,
})

/** Associated data of the wrapped secret, so that it does not open for another app, provider or issuer. */
const wrappedFor = (appId: string, id: string, issuer: string) => Buffer.from(`oidc/${appId}/${id}/${issuer}`)

export const wrapClientSecret = (
  kms: Kms,
  appId: string,
  { id, issuer }: Pick<Provider, 'id' | 'issuer'>,
  secret: string,
): Promise<string> => kms.wrap('server-key', Buffer.from(secret), wrappedFor(appId, id, issuer))

export const unwrapClientSecret = async (
  kms: Kms,
  appId: string,
  { id, issuer, client_secret: wrapped }: Pick<store.ProviderRow, 'id' | 'issuer' | 'client_secret'>,
): Promise<string> =>
  Buffer.from(await kms.unwrap('server-key', wrapped, wrappedFor(appId, id, issuer))).toString()

export type NewProvider = Omit<Provider, 'isDisabled'> & { wrappedSecret: string }

/** Returns undefined if the app has a provider with this id or issuer already. */
export async function insertProvider(
  reader: Reader,
  clock: Clock,
  appId: string,
  { id, name, issuer, clientId, metadata, wrappedSecret }: NewProvider,
): Promise<store.ProviderRow | undefined> {
  const row: store.ProviderRow = {
    app_id: appId,
    id,
    name,
    issuer,
    client_id: clientId,
    client_secret: wrappedSecret,
    metadata: JSON.stringify(metadata),
    created_at: nowSeconds(clock),
    disabled_at: null,
  }
  return (await store.insertProvider(reader, row)) ? row : undefined
}

/** Returns the hash under which sessions store the provider's session id. */
export const hashProviderSession = (issuer: string, sid: string): string =>
  createHash('sha256').update(`${issuer}\n${sid}`).digest('base64url')

const visibleText = v.pipe(
  v.string(),
  v.nonEmpty(),
  v.maxLength(subjectLimits.maxLength),
  v.regex(/^\P{C}*$/u),
)
const claimsSchema = v.object({
  sub: visibleText,
  sid: v.optional(visibleText),
  name: optionalText,
  email: optionalText,
})

/** Returns the account of an ID token. The e-mail address is only displayed, never matched. */
function toProfile(issuer: string, claims: unknown): Profile {
  const { sub, sid, name, email } = v.parse(claimsSchema, claims)
  return {
    issuer,
    subject: sub,
    fields: { name, email },
    providerSession: sid === undefined ? undefined : hashProviderSession(issuer, sid),
  }
}

const toOAuthProvider = ({ issuer, metadata }: Pick<Provider, 'issuer' | 'metadata'>): OAuthProvider => ({
  ...defaults,
  issuer,
  authorization: metadata.authorization,
  token: metadata.token,
  authentication: metadata.authentication,
  scopes: ['openid', 'email', 'profile'],
  redirectsWithIssuer: metadata.redirectsWithIssuer,
  idTokenAlgorithms: metadata.algorithms,
  profile: { from: 'id token', jwks: metadata.jwks, read: (claims) => toProfile(issuer, claims) },
})

/** Creates a cache of the key sets of providers, by address. */
export function createKeyCache(): (url: string) => JWKSCacheInput {
  const keySets = new Map<string, JWKSCacheInput>()
  return (url) => {
    const cached = keySets.get(url)
    if (cached) return cached
    if (keySets.size >= oidcLimits.cachedKeySets) keySets.clear()
    const keys: JWKSCacheInput = {}
    keySets.set(url, keys)
    return keys
  }
}

/** Creates a client of a provider. `changes` replaces parts of the login of users. */
export const createOidcClient = (
  provider: Pick<Provider, 'name' | 'issuer' | 'clientId' | 'metadata'>,
  secret: () => Promise<string>,
  keysAt: ReturnType<typeof createKeyCache>,
  changes: Partial<OAuthProvider> = {},
): ProviderClient =>
  createProviderClient(
    { ...toOAuthProvider(provider), ...changes },
    { type: 'secret', id: provider.clientId, secret },
    {
      title: provider.name,
      at: (address) => address,
      send: (url, request) => ssrfSafeFetch(url, { ...request, party: 'oidc' }),
      keys: keysAt(provider.metadata.jwks),
    },
  )

/** Creates the look-up of an app's clients. Their key sets are cached across logins. */
export function createAppProviders(): AppProviders<OidcProvider> {
  const keysAt = createKeyCache()
  return async ({ kms }, reader, appId, method) => {
    const row = await store.findProvider(reader, appId, toId(method))
    if (!row || row.disabled_at !== null) return undefined
    return createOidcClient(toProvider(row), () => unwrapClientSecret(kms, appId, row), keysAt)
  }
}

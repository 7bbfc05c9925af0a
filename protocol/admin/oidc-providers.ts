/**
 * OpenID providers of an app. The issuer of a provider is fixed, and no call removes a provider, so that a login method
 * never leads to another issuer by a stolen key.
 */
import * as v from 'valibot'
import { oidcProviderId } from '../entities/oidc.ts'
import { text } from '../entities/primitives.ts'
import { time } from './fields.ts'
import { adminLimits } from './limits.ts'
import type { AdminRoutes } from './route.ts'

const { maxProviderNameLength, maxProviderFieldLength } = adminLimits

export const oidcProviderStates = ['enabled', 'disabled'] as const

/** The name that users see, without invisible and bidirectional control characters. */
export const oidcProviderName = v.pipe(
  v.string(),
  v.trim(),
  v.nonEmpty(),
  v.maxLength(maxProviderNameLength),
  v.regex(/^\P{C}*$/u),
)
/** A client id or client secret. */
export const oidcClientText = v.pipe(
  v.string(),
  v.maxLength(maxProviderFieldLength),
  v.regex(/^[\x21-\x7e]+$/),
)

const provider = v.object({
  id: text,
  /** The name in `loginMethods` of the page: `oidc:<id>`. */
  loginMethod: text,
  name: text,
  issuer: text,
  clientId: text,
  state: v.picklist(oidcProviderStates),
  /** To register at the provider. */
  redirectUri: text,
  /** To register at the provider, for OpenID Connect Back-Channel Logout. */
  logoutUri: text,
  createdAt: time,
})
export type AdminOidcProvider = v.InferOutput<typeof provider>

const read = { scopes: ['apps:read'], effect: 'reads', method: 'GET', status: 200 } as const
const change = { scopes: ['apps:write'], effect: 'changes', status: 200, output: provider } as const
const ofProvider = ['app_not_found', 'provider_not_found'] as const
const withBody = ['idempotency_key_reused', 'payload_too_large', 'unsupported_media_type'] as const

export const adminOidcRoutes = {
  listOidcProviders: {
    ...read,
    path: '/apps/{app}/oidc',
    summary: 'lists the OpenID providers of an app, oldest first, without their secrets',
    output: v.object({ data: v.array(provider) }),
    errors: ['app_not_found'],
  },
  createOidcProvider: {
    ...change,
    needsConfirmation: true,
    method: 'POST',
    path: '/apps/{app}/oidc',
    status: 201,
    summary:
      'adds an OpenID provider after reading its discovery document. Users see it if the page lists its login method',
    body: v.object({
      id: oidcProviderId,
      name: oidcProviderName,
      issuer: text,
      clientId: oidcClientText,
      clientSecret: oidcClientText,
    }),
    errors: ['app_not_found', 'issuer_not_accepted', 'provider_exists', 'too_many_providers', ...withBody],
  },
  getOidcProvider: {
    ...read,
    path: '/apps/{app}/oidc/{provider}',
    summary: 'returns an OpenID provider, without its secret',
    output: provider,
    errors: ofProvider,
  },
  updateOidcProvider: {
    ...change,
    needsConfirmation: true,
    method: 'PATCH',
    path: '/apps/{app}/oidc/{provider}',
    summary:
      'renames an OpenID provider, replaces its client secret, disables it or enables it again. `latchkey app oidc` removes it',
    body: v.object({
      name: v.exactOptional(oidcProviderName),
      clientSecret: v.exactOptional(oidcClientText),
      state: v.exactOptional(v.picklist(oidcProviderStates)),
    }),
    errors: [...ofProvider, ...withBody],
  },
  refreshOidcProvider: {
    ...change,
    method: 'POST',
    path: '/apps/{app}/oidc/{provider}/refresh',
    summary: 'reads the discovery document of an OpenID provider again',
    errors: [...ofProvider, 'issuer_not_accepted', 'idempotency_key_reused'],
  },
} as const satisfies AdminRoutes

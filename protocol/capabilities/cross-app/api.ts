/**
 * Calls of the requester app, which uses wallets of another app. Login and linking use `oauth/api.ts` with the provider
 * `latchkey:{appId}`. The dialog sends signature requests directly to the provider (`provider/requests.ts`).
 */
import * as v from 'valibot'
import { crossAppProvider } from '../../entities/cross-app.ts'
import { appId, text } from '../../entities/primitives.ts'
import { oauthTokensSchema } from '../../entities/session.ts'
import type { Routes, RoutesDoc } from '../../rows/route.ts'
import { relay } from '../../windows/relay.ts'

/** A DPoP proof (RFC 9449) by the dialog's key for the provider's token endpoint. The server forwards it. */
export const forwardedProof = v.pipe(text, v.nonEmpty())

/** A registered provider. Users of the app may link its wallets. */
const crossAppConnectionSchema = v.object({
  providerAppId: appId,
  providerAppName: text,
  providerAppIconUrl: v.nullable(text),
  providerAppCustomApiUrl: v.nullable(text),
  /** Whether its wallets cannot sign in this app. */
  readOnly: v.boolean(),
  /** The issuer of its OpenID provider. `{issuer}/requests` accepts signature requests. */
  issuer: text,
  tokenEndpoint: text,
})
export type CrossAppConnection = v.InferOutput<typeof crossAppConnectionSchema>

export const crossAppRoutes = {
  crossAppConnections: {
    method: 'GET',
    path: '/apps/{appId}/cross-app/connections',
    auth: 'none',
    forks: true,
    effect: 'reads',
    appHeader: false,
    output: v.object({ connections: v.array(crossAppConnectionSchema) }),
  },
  /** Redirects the window that the dialog opened in its click to the provider's page of this request. */
  openCrossAppWindow: {
    method: 'POST',
    path: '/cross-app/windows',
    auth: 'dialog',
    forks: false,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ relay, provider: crossAppProvider, transactUrl: text }),
    output: v.object({ success: v.literal(true) }),
  },
  refreshCrossAppTokens: {
    method: 'POST',
    path: '/cross-app/token',
    auth: 'dialog',
    forks: false,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({
      provider: crossAppProvider,
      refreshToken: v.pipe(text, v.nonEmpty()),
      proof: forwardedProof,
    }),
    output: oauthTokensSchema,
  },
} as const satisfies Routes

export const crossAppDoc: RoutesDoc<typeof crossAppRoutes> = {
  crossAppConnections: {
    summary:
      "Lists the providers whose wallets the app's users can link, as the operator registered them. Wallets of a `read_only` provider cannot sign here.",
    errors: ['not_found'],
  },
  openCrossAppWindow: {
    summary:
      'Redirects the window that the dialog opened to the page of a request at its provider. `transact_url` has the request handle after its `#` and must be on an origin of that provider.',
    errors: [
      'must_be_authenticated',
      'insufficient_scope',
      'invalid_data',
      'invalid_origin',
      'cross_app_connection_not_allowed',
    ],
  },
  refreshCrossAppTokens: {
    summary:
      "Refreshes the tokens of a provider. The server adds the client credentials and forwards the dialog's DPoP proof for the token endpoint. `missing_or_invalid_token` means that the provider rejected the token or returned another user. Its details contain `provider`, to distinguish it from an error of the user's own session.",
    errors: [
      'must_be_authenticated',
      'insufficient_scope',
      'invalid_data',
      'cross_app_connection_not_allowed',
      'missing_or_invalid_token',
      'too_many_requests',
      'oauth_unexpected',
      'outcome_unknown',
    ],
  },
}

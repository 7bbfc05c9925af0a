/**
 * The app that uses wallets of another one (the requester) serves these calls. Login and linking are those of
 * `oauth/api.ts`, with the provider `latchkey:{appId}`; what is to be signed goes from the dialog to the provider
 * itself (`provider/requests.ts`).
 */
import * as v from 'valibot'
import { crossAppConnectionSchema, crossAppProvider } from '../../entities/cross-app.ts'
import { text } from '../../entities/primitives.ts'
import { oauthTokensSchema } from '../../entities/session.ts'
import type { Routes, RoutesDoc } from '../../rows/route.ts'
import { relay } from '../../windows/relay.ts'

/** A proof (RFC 9449) by the dialog's key for the provider's token endpoint, which the server passes on. */
export const forwardedProof = v.pipe(text, v.nonEmpty())

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
  /** The window that the dialog opened in its click goes on to the provider's page of this request. */
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
      'The providers whose wallets users of this app may bring, as its operator registered them. `read_only`: their wallets sign nothing here.',
    errors: ['not_found'],
  },
  openCrossAppWindow: {
    summary:
      'Has the window that the dialog opened in its click go on to the page of a request at its provider. `transact_url` has the handle of the request after its `#`, and lies on an origin of that provider.',
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
      'New tokens of a provider, by the refresh token that it gave. The server adds who it is, and passes on the proof that the dialog made for the token endpoint. `missing_or_invalid_token` where the provider says that the token is over, or names another user than before; its details say `provider`, so that nobody takes it for a word about their own session.',
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

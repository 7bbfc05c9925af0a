import type { RoutesDoc } from '../../rows/route.ts'
import type { crossAppRoutes } from './api.ts'

export const crossAppDoc: RoutesDoc<typeof crossAppRoutes> = {
  crossAppConnections: {
    says: 'The providers whose wallets users of this app may bring, as its operator registered them. `read_only`: their wallets sign nothing here.',
    errors: ['not_found'],
  },
  openCrossAppWindow: {
    says: 'Has the window that the dialog opened in its click go on to the page of a request at its provider. `transact_url` has the handle of the request after its `#`, and lies on an origin of that provider.',
    errors: [
      'must_be_authenticated',
      'insufficient_scope',
      'invalid_data',
      'invalid_origin',
      'cross_app_connection_not_allowed',
    ],
  },
  refreshCrossAppTokens: {
    says: 'New tokens of a provider, by the refresh token that it gave. The server adds who it is, and passes on the proof that the dialog made for the token endpoint. `missing_or_invalid_token` where the provider says that the token is over, or names another user than before; its details say `provider`, so that nobody takes it for a word about their own session.',
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

import type { RoutesDoc } from '../../rows/route.ts'
import type { providerRoutes } from './api.ts'

export const providerDoc: RoutesDoc<typeof providerRoutes> = {
  verifyAuthorization: {
    says: 'Who asks for a wallet of this user, and for what, by the authorization request that waits. `not_found` where it is over.',
    errors: ['must_be_authenticated', 'insufficient_scope', 'not_found'],
  },
  authorize: {
    says: "The user's answer to an authorization request. A form posts `secret` to `finish_url` in the browser that began the request, which sends it on to the other app with a code, or with `access_denied`.",
    errors: [
      'must_be_authenticated',
      'insufficient_scope',
      'not_found',
      'invalid_data',
      'embedded_wallet_not_found',
      'token_already_used',
    ],
  },
  readCrossAppRequest: {
    says: 'What another app asks of the wallet of this user, by the handle of the request. The first page that reads a request is the one that may answer it.',
    errors: ['must_be_authenticated', 'insufficient_scope', 'not_found', 'token_already_used'],
  },
  answerCrossAppRequest: {
    says: 'What came of a request. A signature is checked to be one of the connected wallet over what was asked; a transaction is sent to its chain, and the answer is its hash.',
    errors: [
      'must_be_authenticated',
      'insufficient_scope',
      'not_found',
      'invalid_data',
      'token_already_used',
      'transaction_failure',
      'outcome_unknown',
      'unavailable',
    ],
  },
  connectedApps: {
    says: 'The apps that may use a wallet of this user: since when, for what, and when they last did.',
    errors: ['must_be_authenticated', 'insufficient_scope'],
  },
  endConnectedApp: {
    says: 'Takes from an app what it was allowed: its tokens are over, and so is every request that waits.',
    errors: ['must_be_authenticated', 'insufficient_scope', 'not_found'],
  },
}

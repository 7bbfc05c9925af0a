import type { RoutesDoc } from '../../rows/route.ts'
import type { fundingRoutes } from './api.ts'

export const fundingDoc: RoutesDoc<typeof fundingRoutes> = {
  signFunding: {
    says: 'The signed address at which the user pays by card, for one wallet of theirs, and the name that the payment is known by. `not_supported` with `Fiat on-ramp is not enabled` where the app has it off, or the operator has no keys for it.',
    errors: [
      'must_be_authenticated',
      'insufficient_scope',
      'not_supported',
      'linked_account_not_found',
      'too_many_requests',
    ],
  },
  fundingStatus: {
    says: 'What the provider says of a payment of this user. `not_found` while it knows of none yet.',
    errors: ['must_be_authenticated', 'not_supported', 'not_found', 'unavailable'],
  },
}

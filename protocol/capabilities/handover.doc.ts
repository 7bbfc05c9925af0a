import type { RoutesDoc } from '../rows/route.ts'
import type { handoverRoutes } from './handover.ts'

export const handoverDoc: RoutesDoc<typeof handoverRoutes> = {
  createHandover: {
    says: "A code with which the page of the wallet takes a login over, once and for 60 s. Only a login that has no device, by the secret of that login's answer.",
    errors: ['must_be_authenticated', 'insufficient_scope', 'device_not_bound'],
  },
  redeemHandover: {
    says: 'A session of its own for whoever brings the code: its key and its device are the key of the proof. The session that made the code ends. For the page of the wallet alone.',
    errors: ['missing_or_invalid_token', 'token_already_used'],
  },
  refreshHandedOver: {
    says: 'New tokens of a session that was handed over, as `/sessions` gives them to others, and always in the body.',
    errors: ['missing_or_invalid_token'],
  },
}

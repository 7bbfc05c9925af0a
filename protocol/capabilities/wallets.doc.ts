import type { RoutesDoc } from '../rows/route.ts'
import type { walletRoutes, walletTokenRoutes } from './wallets.ts'

export const walletDoc: RoutesDoc<typeof walletTokenRoutes & typeof walletRoutes> = {
  walletToken: {
    says: "A wallet token of 60 s for one step of a vault's operation, where the device of the session has stated that step in the header `latchkey-device`; without one, with another's, or for a forked session, `device_not_bound`. It names the vault's key, the operation and step, what it is for, and the wallet; and for what a person is asked for (a signature, an export, a deletion, the removal of a method), the digest that was confirmed. For an automatic recovery by a user who has nothing but new methods to show, it is `method_too_new`; `details.until` says, in epoch seconds, from when on they count, and `details.hours` how long a method is new.",
    errors: [
      'must_be_authenticated',
      'device_not_bound',
      'invalid_data',
      'embedded_wallet_not_found',
      'too_many_requests',
      'not_found',
      'approval_required_elsewhere',
      'user_rejected_request',
      'token_already_used',
      'method_too_new',
    ],
  },
  walletStatus: {
    says: 'The wallet of the token as the server pins it.',
    errors: ['missing_or_invalid_token', 'insufficient_scope', 'embedded_wallet_not_found'],
  },
  beginWallet: {
    says: 'Opens the one place that a user has for a wallet of this chain, or tells the wallet that is in it.',
    errors: ['missing_or_invalid_token', 'insufficient_scope'],
  },
  commitWallet: {
    says: 'Fills the place with this wallet if it is still open; whoever comes second gets the wallet that is there. An address that another user of the app has linked, or whose key they have kept here, is `linked_to_another_user`.',
    errors: [
      'missing_or_invalid_token',
      'insufficient_scope',
      'invalid_data',
      'embedded_wallet_not_found',
      'share_malformed',
      'linked_to_another_user',
    ],
  },
  releaseShares: {
    says: 'The shares that the server releases for the purpose of the token, sealed to its vault, for its step: for a signature the auth share, which opens to sign the digest of the token alone, for an export the same, for a recovery both, of a wallet that no password recovers. Where the user keeps a key in their own cloud, `recovery_share` is what that key opens. Where the user has a method of verification, `mfa_token` is one that was given for this operation, and is used up by this; so is the confirmation of a signature or an export. An export is told to the user by mail.',
    errors: [
      'missing_or_invalid_token',
      'insufficient_scope',
      'embedded_wallet_not_found',
      'too_many_requests',
      'missing_or_invalid_mfa',
      'expired_or_invalid_mfa_token',
      'disallowed_recovery_method',
      'method_too_new',
      'not_found',
      'approval_required_elsewhere',
      'user_rejected_request',
      'token_already_used',
    ],
  },
}

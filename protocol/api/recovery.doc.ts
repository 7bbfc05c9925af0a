import type { recoveryRoutes } from './recovery.ts'
import type { RoutesDoc } from './route.ts'

const ofToken = ['missing_or_invalid_token', 'insufficient_scope', 'embedded_wallet_not_found'] as const

export const recoveryDoc: RoutesDoc<typeof recoveryRoutes> = {
  passwordParams: {
    says: 'What Argon2id takes beside the password of this wallet, and the key that the access key is sealed to.',
    errors: [...ofToken, 'disallowed_recovery_method'],
  },
  releaseByPassword: {
    says: 'The shares of a wallet that is recovered by a password, for what shows that the user knows it; each try is counted before it is compared. Where the user has a method of verification, `mfa_token` is one that was given for this operation, and is used up by this.',
    errors: [
      ...ofToken,
      'too_many_requests',
      'missing_or_invalid_mfa',
      'expired_or_invalid_mfa_token',
      'invalid_recovery_pin',
      'disallowed_recovery_method',
    ],
  },
  beginReshare: {
    says: 'The auth share of the present generation, and the number of another one that is to be made. Where the user has a method of verification, `mfa_token` is one that was given for this operation, and is used up by this.',
    errors: [...ofToken, 'too_many_requests', 'missing_or_invalid_mfa', 'expired_or_invalid_mfa_token'],
  },
  keepReshare: {
    says: 'Keeps the shares of a new generation beside those of the present one, reads them back and gives them to the vault.',
    errors: [...ofToken, 'disallowed_recovery_method', 'invalid_data', 'share_malformed'],
  },
  commitReshare: {
    says: 'Makes the new generation the present one, if the present one is still that which it was made from. What was before is gone.',
    errors: [...ofToken, 'invalid_data'],
  },
}

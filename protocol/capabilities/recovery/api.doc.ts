import type { RoutesDoc } from '../../rows/route.ts'
import type { recoveryRoutes } from './api.ts'

const ofStep = ['missing_or_invalid_token', 'insufficient_scope'] as const
const ofToken = [...ofStep, 'embedded_wallet_not_found'] as const

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
    errors: [
      ...ofToken,
      'too_many_requests',
      'missing_or_invalid_mfa',
      'expired_or_invalid_mfa_token',
      'method_too_new',
    ],
  },
  keepReshare: {
    says: 'Keeps the shares of a new generation beside those of the present one, reads them back and gives them to the vault.',
    errors: [...ofToken, 'disallowed_recovery_method', 'invalid_data', 'share_malformed'],
  },
  commitReshare: {
    says: 'Makes the new generation the present one, if the present one is still that which it was made from. What was before is gone.',
    errors: [...ofToken, 'invalid_data'],
  },
  authenticateCloudRecovery: {
    says: 'The token that opens the folder of the app in the Drive of the user, for their wallet frame. It is kept nowhere, and a code is redeemed once. A code that says `undefined` was denied by its person.',
    errors: [
      ...ofStep,
      'disallowed_recovery_method',
      'invalid_credentials',
      'pkce_state_code_mismatch',
      'invalid_pkce_parameters',
      'oauth_user_denied',
      'oauth_account_suspended',
      'oauth_unexpected',
      'too_many_requests',
    ],
  },
  icloudConfiguration: {
    says: "Which container of the operator's the files lie in, and the token of its web services, which opens nothing by itself.",
    errors: [...ofStep, 'disallowed_recovery_method'],
  },
}

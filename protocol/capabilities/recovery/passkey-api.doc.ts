import type { RoutesDoc } from '../../rows/route.ts'
import type { recoveryPasskeyRoutes } from './passkey-api.ts'

const ofUser = ['must_be_authenticated', 'insufficient_scope'] as const

export const recoveryPasskeyDoc: RoutesDoc<typeof recoveryPasskeyRoutes> = {
  beginRecoveryPasskey: {
    says: 'Makes the challenge of a new passkey that is to keep a wallet and to log nobody in, and the salt of its PRF.',
    errors: [...ofUser, 'disallowed_recovery_method'],
  },
  registerRecoveryPasskey: {
    says: 'Takes the passkey that answered, for the wallet that the wallet frame has it keep within half an hour.',
    errors: [...ofUser, 'disallowed_recovery_method', 'invalid_credentials', 'too_many_requests'],
  },
  askRecoveryPasskey: {
    says: 'Makes the challenge for the passkey that keeps the wallet of the user, which it names, with the salt of its PRF.',
    errors: [...ofUser, 'embedded_wallet_not_found', 'disallowed_recovery_method'],
  },
  releaseByPasskey: {
    says: 'The shares of a wallet that a passkey keeps, for what that passkey answered to a challenge of this session, which is used up; each try is counted before it is checked. Where the user has a method of verification, `mfa_token` is one that was given for this operation, and is used up by this.',
    errors: [
      'missing_or_invalid_token',
      'insufficient_scope',
      'embedded_wallet_not_found',
      'too_many_requests',
      'missing_or_invalid_mfa',
      'expired_or_invalid_mfa_token',
      'invalid_recovery_pin',
      'disallowed_recovery_method',
    ],
  },
}

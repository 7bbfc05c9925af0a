/** Errors that cross boundary 2 unchanged, per call. Enforced by the frame and printed in the documentation. */

import { cloudRefusals } from '../capabilities/recovery/window.ts'
import type { ErrorCode } from '../errors/error-codes.ts'
import type { walletContract } from './calls.ts'

type FrameCall = keyof (typeof walletContract)['child']

/** Errors of calls with a second factor. */
const verificationErrors = [
  'missing_or_invalid_mfa',
  'mfa_verification_max_attempts_reached',
  'twilio_verification_failed',
] as const satisfies readonly ErrorCode[]
/** Forked sessions cannot make these calls. */
const verifiedErrors = [...verificationErrors, 'insufficient_scope'] as const satisfies readonly ErrorCode[]
const enrollmentErrors = [
  ...verifiedErrors,
  'not_supported',
  'user_unsubscribed',
] as const satisfies readonly ErrorCode[]

const farcasterErrors = [
  'wallet_not_on_device',
  ...verifiedErrors,
  'method_too_new',
  'share_mismatch',
  'device_storage_unavailable',
  'not_supported',
  'linked_account_not_found',
  'unavailable',
  'not_found',
] as const satisfies readonly ErrorCode[]

/** Errors of all calls. */
export const commonWalletErrors = [
  'error',
  'invalid_request_arguments',
  'vault_operation_unknown',
  'device_not_bound',
  'too_many_requests',
] as const satisfies readonly ErrorCode[]

export const walletCallErrors: { [Name in FrameCall]: readonly ErrorCode[] } = {
  'iframe:ready': [],
  'operation:begin': [],
  'operation:end': [],
  'operation:state': [],
  'device:file': [],
  'wallet:create': [
    'disallowed_recovery_method',
    'oauth_user_denied',
    'share_mismatch',
    'device_storage_unavailable',
  ],
  'wallet:import': [
    'embedded_wallet_already_exists',
    'linked_to_another_user',
    'disallowed_recovery_method',
    'share_mismatch',
    'device_storage_unavailable',
  ],
  'wallet:connect': ['wallet_not_on_device', 'share_mismatch', 'device_storage_unavailable'],
  'wallet:recover': [
    'invalid_recovery_pin',
    ...verificationErrors,
    'method_too_new',
    'disallowed_recovery_method',
    'oauth_user_denied',
    'share_mismatch',
    'device_storage_unavailable',
  ],
  'wallet:set-recovery': [
    'wallet_not_on_device',
    'missing_or_invalid_mfa',
    'method_too_new',
    'disallowed_recovery_method',
    'oauth_user_denied',
    'embedded_wallet_recovery_already_exists',
    'share_mismatch',
    'device_storage_unavailable',
  ],
  'wallet:rpc': [
    'wallet_not_on_device',
    ...verificationErrors,
    'share_mismatch',
    'device_storage_unavailable',
    'not_supported',
    'insufficient_funds',
    'method_too_new',
    'approval_required_elsewhere',
    'token_already_used',
  ],
  'solana-wallet:create': [
    'embedded_wallet_already_exists',
    'linked_to_another_user',
    'disallowed_recovery_method',
    'wallet_not_on_device',
    ...verificationErrors,
    'method_too_new',
    'not_supported',
    'share_mismatch',
    'device_storage_unavailable',
  ],
  'solana-wallet:connect': ['wallet_not_on_device', 'share_mismatch', 'device_storage_unavailable'],
  'solana-wallet:recover': [
    ...verificationErrors,
    'method_too_new',
    'disallowed_recovery_method',
    'share_mismatch',
    'device_storage_unavailable',
  ],
  'solana-wallet:rpc': [
    'wallet_not_on_device',
    ...verificationErrors,
    'method_too_new',
    'share_mismatch',
    'device_storage_unavailable',
    'not_supported',
  ],
  'mfa:verify': verifiedErrors,
  'mfa:init-enrollment': enrollmentErrors,
  'mfa:submit-enrollment': [
    ...enrollmentErrors,
    'method_too_new',
    'invalid_credentials',
    'linked_account_not_found',
  ],
  'mfa:unenroll': [...verifiedErrors, 'method_too_new'],
  'confirm:offer': [],
  'confirm:end': [],
  'recovery:ask': ['user_rejected_request', 'not_found', ...cloudRefusals],
  'recovery:confirm': ['user_rejected_request', 'not_found', 'invalid_data'],
  'recovery:end': [],
  'export:begin': ['user_rejected_request'],
  'export:confirm': ['user_rejected_request', 'not_found', 'invalid_data'],
  'export:closed': [],
  'export:end': [],
  'page:begin': [],
  'page:key': ['invalid_data', 'not_supported'],
  'page:confirm': ['invalid_data'],
  'wallet:export': [
    'user_rejected_request',
    'not_found',
    'wallet_not_on_device',
    'missing_or_invalid_mfa',
    'method_too_new',
    'share_mismatch',
    'device_storage_unavailable',
  ],
  'farcaster:init-signer': farcasterErrors,
  'farcaster:sign': farcasterErrors,
  'mfa:clear': [],
  'account:delete': [...verifiedErrors, 'method_too_new'],
}

/** Returns whether a frame error is a rate limit. */
export const isRateLimit = (message: string) => message.includes('code 429')
export const mfaCanceledMessage = 'MFA canceled'
export const isMfaCanceled = (message: string) => message === mfaCanceledMessage

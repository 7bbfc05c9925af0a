/** Export of the user's private key. */
import * as v from 'valibot'
import type { HostCallDoc, HostCallRows } from '../../rows/host-call.ts'

export const exportCalls = {
  exportWallet: { policy: 'needs-user', input: v.object({}) },
} as const satisfies HostCallRows

export const exportAnswers = { exportWallet: v.object({}) } as const

export const exportDoc: HostCallDoc<typeof exportCalls> = {
  exportWallet: {
    summary:
      'Opens the dialog in which the user sees the private key of their wallet, after approval and verification. The host page never receives the key.',
    errors: [
      'must_be_authenticated',
      'embedded_wallet_not_found',
      'user_rejected_request',
      'approval_required_elsewhere',
      'missing_or_invalid_mfa',
      'mfa_verification_max_attempts_reached',
      'mfa_timeout',
      'unknown_embedded_wallet_error',
    ],
  },
}

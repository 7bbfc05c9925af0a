/** The user takes their wallet elsewhere. */
import * as v from 'valibot'
import type { HostCallDoc, HostCallRows } from '../../rows/host-call.ts'

export const exportCalls = {
  exportWallet: { policy: 'needs-user', input: v.object({}) },
} as const satisfies HostCallRows

export const exportAnswers = { exportWallet: v.object({}) } as const

export const exportDoc: HostCallDoc<typeof exportCalls> = {
  exportWallet: {
    summary:
      'Opens the dialog in which the user sees the key of their wallet, after they approved it and verified themselves. The page learns that it was opened, and nothing of the key.',
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

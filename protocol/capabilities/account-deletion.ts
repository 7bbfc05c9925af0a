import * as v from 'valibot'
import type { Routes, RoutesDoc } from '../rows/route.ts'
import { mfaTokenField } from './mfa/token.ts'

export const accountDeletionRoutes = {
  deleteAccount: {
    method: 'DELETE',
    path: '/users/me',
    auth: 'wallet',
    forks: false,
    purposes: ['delete-account'],
    effect: 'changes, replayed',
    endsSession: true,
    appHeader: true,
    body: v.object(mfaTokenField),
    output: v.object({ success: v.literal(true) }),
  },
} as const satisfies Routes

export const accountDeletionDoc: RoutesDoc<typeof accountDeletionRoutes> = {
  deleteAccount: {
    summary:
      'Deletes the user. Their wallet shares are destroyed immediately, so the wallets cannot be recovered. All sessions end, and every linked account can sign up again as a new user. The token must name the confirmation of this deletion, which is consumed. If the user has a second factor, `mfa_token` must be a verification for this operation. A retry with the same request id returns the same response, although the session has ended.',
    errors: [
      'missing_or_invalid_token',
      'insufficient_scope',
      'missing_or_invalid_mfa',
      'expired_or_invalid_mfa_token',
      'not_found',
      'approval_required_elsewhere',
      'user_rejected_request',
      'token_already_used',
      'method_too_new',
    ],
  },
}

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
      'Deletes the user of the token. The shares of their wallets are destroyed at once, so that nobody can recover them; every session ends, and every account is free to sign up anew, as somebody else. The token names the confirmation of just that, which is used up by this. Where the user has a method of verification, `mfa_token` is one that was given for this operation. Asked again with the same id, it answers again, although the session is gone.',
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

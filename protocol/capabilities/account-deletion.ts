import * as v from 'valibot'
import type { Routes } from '../rows/route.ts'
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

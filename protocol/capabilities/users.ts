import * as v from 'valibot'
import { userRecordSchema } from '../entities/user.ts'
import type { Routes, RoutesDoc } from '../rows/route.ts'

export const userRoutes = {
  me: {
    method: 'GET',
    path: '/users/me',
    auth: 'identity',
    forks: true,
    effect: 'reads',
    appHeader: true,
    output: userRecordSchema,
  },
  acceptTerms: {
    method: 'POST',
    path: '/users/me/accept_terms',
    auth: 'dialog',
    forks: true,
    effect: 'changes',
    appHeader: true,
    body: v.object({}),
    output: userRecordSchema,
  },
} as const satisfies Routes

export const userDoc: RoutesDoc<typeof userRoutes> = {
  me: {
    summary: 'Returns the user of the token.',
    errors: ['missing_or_invalid_token'],
  },
  acceptTerms: {
    summary: 'Records that the user accepts the terms of the app.',
    errors: ['must_be_authenticated'],
  },
}

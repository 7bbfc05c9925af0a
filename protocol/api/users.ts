import * as v from 'valibot'
import { userRecordSchema } from '../entities/user.ts'
import type { Routes } from './route.ts'

export const userRoutes = {
  me: {
    says: 'The user of the token.',
    method: 'GET',
    path: '/users/me',
    auth: 'identity',
    forks: true,
    effect: 'reads',
    appHeader: true,
    output: userRecordSchema,
    errors: ['missing_or_invalid_token'],
  },
  acceptTerms: {
    says: 'The user accepts the terms of the app.',
    method: 'POST',
    path: '/users/me/accept_terms',
    auth: 'dialog',
    forks: true,
    effect: 'changes',
    appHeader: true,
    body: v.object({}),
    output: userRecordSchema,
    errors: ['must_be_authenticated'],
  },
} as const satisfies Routes

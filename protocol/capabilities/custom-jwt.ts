import * as v from 'valibot'
import { text } from '../entities/primitives.ts'
import type { Routes } from '../rows/route.ts'
import { authAnswerSchema, vaultOfLogin } from './sessions.ts'

export const customJwtRoutes = {
  loginWithCustomJwt: {
    method: 'POST',
    path: '/custom_jwt_account/authenticate',
    auth: 'none',
    forks: true,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ token: v.pipe(text, v.nonEmpty()), vault: vaultOfLogin }),
    output: authAnswerSchema,
  },
} as const satisfies Routes

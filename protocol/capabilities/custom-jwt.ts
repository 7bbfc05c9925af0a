import * as v from 'valibot'
import { text } from '../entities/primitives.ts'
import type { Routes, RoutesDoc } from '../rows/route.ts'
import { authAnswerSchema, loginVault } from './sessions.ts'

export const customJwtRoutes = {
  loginWithCustomJwt: {
    method: 'POST',
    path: '/custom_jwt_account/authenticate',
    auth: 'none',
    forks: true,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ token: v.pipe(text, v.nonEmpty()), vault: loginVault }),
    output: authAnswerSchema,
  },
  confirmCustomJwt: {
    method: 'POST',
    path: '/custom_jwt_account/confirm',
    auth: 'dialog',
    forks: true,
    effect: 'reads',
    appHeader: true,
    body: v.object({ token: v.pipe(text, v.nonEmpty()) }),
    output: v.object({ isSameUser: v.boolean() }),
  },
} as const satisfies Routes

export const customJwtDoc: RoutesDoc<typeof customJwtRoutes> = {
  loginWithCustomJwt: {
    summary:
      "Starts a session for the user that a token of the operator's own issuer identifies. The operator configures the issuer for the app.",
    errors: [
      'missing_or_invalid_token',
      'disallowed_login_method',
      'not_supported',
      'unavailable',
      'allowlist_rejected',
      'login_denied',
      'max_accounts_reached',
      'user_does_not_exist',
    ],
  },
  confirmCustomJwt: {
    summary:
      "Returns whether a token of the operator's own issuer identifies the user of this session. False for a token that a login would refuse.",
    errors: ['disallowed_login_method', 'unavailable'],
  },
}

import * as v from 'valibot'
import { emailAddress, text, verificationCode } from '../entities/primitives.ts'
import { userRecordSchema } from '../entities/user.ts'
import { keepsName } from '../names/naming.ts'
import type { Routes, RoutesDoc } from '../rows/route.ts'
import { authAnswerSchema, loginVault } from './sessions.ts'

export const emailRoutes = {
  sendEmailCode: {
    method: 'POST',
    path: '/passwordless/init',
    auth: 'none',
    forks: true,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ email: emailAddress, token: v.exactOptional(text) }),
    output: v.object({ success: v.literal(true) }),
  },
  loginWithEmailCode: {
    method: 'POST',
    path: '/passwordless/authenticate',
    auth: 'none',
    forks: true,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ email: emailAddress, code: verificationCode, vault: loginVault }),
    output: authAnswerSchema,
  },
  linkEmail: {
    method: 'POST',
    path: '/passwordless/link',
    auth: 'dialog',
    forks: false,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ email: emailAddress, code: verificationCode }),
    output: userRecordSchema,
  },
  unlinkEmail: {
    method: 'POST',
    path: '/passwordless/unlink',
    auth: 'dialog',
    forks: false,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ address: emailAddress }),
    output: userRecordSchema,
  },
  updateEmail: {
    method: 'POST',
    path: '/passwordless/update',
    auth: 'dialog',
    forks: false,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({
      oldAddress: v.pipe(emailAddress, keepsName()),
      newAddress: v.pipe(emailAddress, keepsName()),
      code: verificationCode,
    }),
    output: userRecordSchema,
  },
} as const satisfies Routes

export const emailDoc: RoutesDoc<typeof emailRoutes> = {
  sendEmailCode: {
    summary: 'Sends a one-time code by mail. The response is the same for known and unknown addresses.',
    errors: [
      'too_many_requests',
      'disallowed_login_method',
      'email_not_sent',
      'invalid_captcha',
      'captcha_disabled',
    ],
  },
  loginWithEmailCode: {
    summary: 'Starts a session for the address that the code was sent to.',
    errors: [
      'invalid_credentials',
      'too_many_requests',
      'disallowed_login_method',
      'allowlist_rejected',
      'login_denied',
      'max_accounts_reached',
      'user_does_not_exist',
    ],
  },
  linkEmail: {
    summary: 'Links the address to the user.',
    errors: [
      'invalid_credentials',
      'too_many_requests',
      'cannot_link_more_of_type',
      'linked_to_another_user',
    ],
  },
  unlinkEmail: {
    summary: 'Unlinks the address from the user. The last account cannot be unlinked.',
    errors: ['linked_account_not_found', 'cannot_unlink_sole_account'],
  },
  updateEmail: {
    summary: "Replaces the user's old address with the new one, which the code was sent to.",
    errors: [
      'invalid_credentials',
      'too_many_requests',
      'linked_account_not_found',
      'linked_to_another_user',
    ],
  },
}

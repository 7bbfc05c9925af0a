import * as v from 'valibot'
import { emailAddress, text, verificationCode } from '../entities/primitives.ts'
import { userRecordSchema } from '../entities/user.ts'
import type { Routes } from './route.ts'
import { authAnswerSchema, vaultOfLogin } from './sessions.ts'

export const emailRoutes = {
  sendEmailCode: {
    says: 'Mails a code. The answer is the same for known and unknown addresses.',
    method: 'POST',
    path: '/passwordless/init',
    auth: 'none',
    forks: true,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ email: emailAddress, token: v.exactOptional(text) }),
    output: v.object({ success: v.literal(true) }),
    errors: ['too_many_requests', 'disallowed_login_method', 'email_not_sent', 'invalid_captcha'],
  },
  loginWithEmailCode: {
    says: 'Starts a session for the address that the code was mailed to.',
    method: 'POST',
    path: '/passwordless/authenticate',
    auth: 'none',
    forks: true,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ email: emailAddress, code: verificationCode, vault: vaultOfLogin }),
    output: authAnswerSchema,
    errors: [
      'invalid_credentials',
      'too_many_requests',
      'disallowed_login_method',
      'allowlist_rejected',
      'max_accounts_reached',
      'user_does_not_exist',
    ],
  },
  linkEmail: {
    says: 'Adds the address to the user.',
    method: 'POST',
    path: '/passwordless/link',
    auth: 'dialog',
    forks: false,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ email: emailAddress, code: verificationCode }),
    output: userRecordSchema,
    errors: [
      'invalid_credentials',
      'too_many_requests',
      'cannot_link_more_of_type',
      'linked_to_another_user',
    ],
  },
} as const satisfies Routes

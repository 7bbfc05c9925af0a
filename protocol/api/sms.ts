import * as v from 'valibot'
import { phoneNumber, text, verificationCode } from '../entities/primitives.ts'
import { userRecordSchema } from '../entities/user.ts'
import { keepsName } from '../naming.ts'
import type { Routes } from './route.ts'
import { authAnswerSchema, vaultOfLogin } from './sessions.ts'

/** The specification writes this one field as JavaScript does. */
const number = { phoneNumber: v.pipe(phoneNumber, keepsName()) }

export const smsRoutes = {
  sendSmsCode: {
    says: 'Sends a code by SMS. The answer is the same for known and unknown numbers.',
    method: 'POST',
    path: '/passwordless_sms/init',
    auth: 'none',
    forks: true,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ ...number, token: v.exactOptional(text) }),
    output: v.object({ success: v.literal(true) }),
    errors: [
      'too_many_requests',
      'disallowed_login_method',
      'not_supported',
      'twilio_verification_failed',
      'invalid_captcha',
    ],
  },
  loginWithSmsCode: {
    says: 'Starts a session for the number that the code was sent to.',
    method: 'POST',
    path: '/passwordless_sms/authenticate',
    auth: 'none',
    forks: true,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ ...number, code: verificationCode, vault: vaultOfLogin }),
    output: authAnswerSchema,
    errors: [
      'invalid_credentials',
      'too_many_requests',
      'disallowed_login_method',
      'twilio_verification_failed',
      'outcome_unknown',
      'allowlist_rejected',
      'max_accounts_reached',
      'user_does_not_exist',
    ],
  },
  linkPhone: {
    says: 'Adds the number to the user.',
    method: 'POST',
    path: '/passwordless_sms/link',
    auth: 'dialog',
    forks: false,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ ...number, code: verificationCode }),
    output: userRecordSchema,
    errors: [
      'invalid_credentials',
      'too_many_requests',
      'twilio_verification_failed',
      'outcome_unknown',
      'cannot_link_more_of_type',
      'linked_to_another_user',
    ],
  },
} as const satisfies Routes

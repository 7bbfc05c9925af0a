import * as v from 'valibot'
import { phoneNumber } from '../entities/phone-number.ts'
import { text, verificationCode } from '../entities/primitives.ts'
import { userRecordSchema } from '../entities/user.ts'
import { keepsName } from '../names/naming.ts'
import type { Routes, RoutesDoc } from '../rows/route.ts'
import { authAnswerSchema, loginVault } from './sessions.ts'

/** The specification names this field in camelCase on the wire. */
const number = { phoneNumber: v.pipe(phoneNumber, keepsName()) }

export const smsRoutes = {
  sendSmsCode: {
    method: 'POST',
    path: '/passwordless_sms/init',
    auth: 'none',
    forks: true,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ ...number, token: v.exactOptional(text) }),
    output: v.object({ success: v.literal(true) }),
  },
  loginWithSmsCode: {
    method: 'POST',
    path: '/passwordless_sms/authenticate',
    auth: 'none',
    forks: true,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ ...number, code: verificationCode, vault: loginVault }),
    output: authAnswerSchema,
  },
  linkPhone: {
    method: 'POST',
    path: '/passwordless_sms/link',
    auth: 'dialog',
    forks: false,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ ...number, code: verificationCode }),
    output: userRecordSchema,
  },
  unlinkPhone: {
    method: 'POST',
    path: '/passwordless_sms/unlink',
    auth: 'dialog',
    forks: false,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object(number),
    output: userRecordSchema,
  },
} as const satisfies Routes

export const smsDoc: RoutesDoc<typeof smsRoutes> = {
  sendSmsCode: {
    summary: 'Sends a one-time code by SMS. The response is the same for known and unknown numbers.',
    errors: [
      'too_many_requests',
      'disallowed_login_method',
      'not_supported',
      'twilio_verification_failed',
      'user_unsubscribed',
      'invalid_captcha',
      'captcha_disabled',
    ],
  },
  loginWithSmsCode: {
    summary: 'Starts a session for the phone number that the code was sent to.',
    errors: [
      'invalid_credentials',
      'too_many_requests',
      'disallowed_login_method',
      'twilio_verification_failed',
      'outcome_unknown',
      'allowlist_rejected',
      'login_denied',
      'max_accounts_reached',
      'user_does_not_exist',
    ],
  },
  linkPhone: {
    summary: 'Links the phone number to the user.',
    errors: [
      'invalid_credentials',
      'too_many_requests',
      'twilio_verification_failed',
      'outcome_unknown',
      'cannot_link_more_of_type',
      'linked_to_another_user',
    ],
  },
  unlinkPhone: {
    summary: 'Unlinks the phone number from the user.',
    errors: ['linked_account_not_found', 'cannot_unlink_sole_account'],
  },
}

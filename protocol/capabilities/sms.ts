import * as v from 'valibot'
import { phoneNumber } from '../entities/phone-number.ts'
import { text, verificationCode } from '../entities/primitives.ts'
import { userRecordSchema } from '../entities/user.ts'
import { keepsName } from '../names/naming.ts'
import type { Routes } from '../rows/route.ts'
import { authAnswerSchema, vaultOfLogin } from './sessions.ts'

/** The specification writes this one field as JavaScript does. */
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
    body: v.object({ ...number, code: verificationCode, vault: vaultOfLogin }),
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

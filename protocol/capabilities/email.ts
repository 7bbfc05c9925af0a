import * as v from 'valibot'
import { emailAddress, text, verificationCode } from '../entities/primitives.ts'
import { userRecordSchema } from '../entities/user.ts'
import { keepsName } from '../names/naming.ts'
import type { Routes } from '../rows/route.ts'
import { authAnswerSchema, vaultOfLogin } from './sessions.ts'

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
    body: v.object({ email: emailAddress, code: verificationCode, vault: vaultOfLogin }),
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

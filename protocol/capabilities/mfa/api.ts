/**
 * Multi-factor verification. A `verify` answers a one-use token for the operation of the wallet token that it was
 * called with: whoever releases or changes something takes it as `mfaToken`, of the same session, operation, purpose
 * and wallet.
 */
import * as v from 'valibot'
import { phoneNumber } from '../../entities/phone-number.ts'
import { base64url, text, verificationCode } from '../../entities/primitives.ts'
import { userRecordSchema } from '../../entities/user.ts'
import { keepsName } from '../../names/naming.ts'
import type { Routes } from '../../rows/route.ts'
import { verifiedPurposes } from '../../vault/purposes.ts'
import { assertion, assertionOptions } from '../passkey/api.ts'
import { mfaLimits } from './limits.ts'
import { mfaTokenField } from './token.ts'

/** The specification writes these as JavaScript does. */
const number = { phoneNumber: v.pipe(phoneNumber, keepsName()) }
const kept = v.pipe(text, keepsName<string>())

/** What a verification is worth. */
const verified = v.object({ token: text })
/** The user with the methods that they have now. */
const changed = v.object({ user: userRecordSchema })

const route = {
  method: 'POST',
  auth: 'wallet',
  forks: false,
  effect: 'changes, replayed',
  appHeader: true,
} as const
const verifies = { ...route, purposes: verifiedPurposes } as const
const changes = { ...route, purposes: ['mfa'] } as const

export const mfaRoutes = {
  /** By the page: to verify, or to send the code of an enrolment that was begun again. By the frame: to begin one. */
  sendMfaCode: {
    ...route,
    path: '/mfa/passwordless_sms/init',
    auth: 'dialog or wallet',
    purposes: ['mfa'],
    body: v.variant('action', [
      v.object({ action: v.literal('verify') }),
      v.object({ action: v.literal('enroll'), ...number, ...mfaTokenField }),
    ]),
    /** `sentTo`: an asterisk and the last four digits. */
    output: v.object({ success: v.literal(true), sentTo: text }),
  },
  enrollSms: {
    ...changes,
    path: '/mfa/passwordless_sms/enroll',
    body: v.object({ code: verificationCode, ...number, ...mfaTokenField }),
    output: changed,
  },
  verifySms: {
    ...verifies,
    path: '/mfa/passwordless_sms/verify',
    body: v.object({ code: verificationCode }),
    output: verified,
  },
  unenrollSms: {
    ...changes,
    path: '/mfa/passwordless_sms/unenroll',
    body: v.object(mfaTokenField),
    output: changed,
  },
  beginTotp: {
    ...changes,
    path: '/mfa/totp/init',
    body: v.object(mfaTokenField),
    output: v.object({ totpSecret: kept, totpAuthUrl: kept }),
  },
  enrollTotp: {
    ...changes,
    path: '/mfa/totp/enroll',
    body: v.object({ code: verificationCode, ...mfaTokenField }),
    output: changed,
  },
  verifyTotp: {
    ...verifies,
    path: '/mfa/totp/verify',
    body: v.object({ code: verificationCode }),
    output: verified,
  },
  unenrollTotp: {
    ...changes,
    path: '/mfa/totp/unenroll',
    body: v.object(mfaTokenField),
    output: changed,
  },
  beginPasskeyVerification: {
    ...route,
    path: '/mfa/passkeys/init',
    auth: 'dialog',
    body: v.object({}),
    output: v.object({ relyingParty: text, options: assertionOptions }),
  },
  /** The passkeys of the user that verify from now on; none of them: passkeys no longer do. */
  enrollPasskeys: {
    ...changes,
    path: '/mfa/passkey/enrollment',
    body: v.object({
      credentialIds: v.pipe(v.array(base64url), v.maxLength(mfaLimits.maxPasskeys)),
      ...mfaTokenField,
    }),
    output: changed,
  },
  verifyPasskey: {
    ...verifies,
    path: '/mfa/passkey/verify',
    body: v.object({ authenticatorResponse: assertion, relyingParty: v.exactOptional(text) }),
    output: verified,
  },
} as const satisfies Routes

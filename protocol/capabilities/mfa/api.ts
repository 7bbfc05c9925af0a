/**
 * Multi-factor verification. A `verify` answers a one-use token for the operation of the wallet token that it was
 * called with: whoever releases or changes something takes it as `mfaToken`, of the same session, operation, purpose
 * and wallet.
 */
import * as v from 'valibot'
import { phoneNumber } from '../../entities/phone-number.ts'
import { base64url, text, verificationCode } from '../../entities/primitives.ts'
import { userRecordSchema } from '../../entities/user.ts'
import type { ErrorCode } from '../../errors/error-codes.ts'
import { keepsName } from '../../names/naming.ts'
import type { Routes, RoutesDoc } from '../../rows/route.ts'
import { verifiedPurposes } from '../../vault/purposes.ts'
import { assertion, assertionOptions } from '../passkey/api.ts'
import { mfaLimits } from './limits.ts'
import { mfaTokenField } from './token.ts'

/** The specification writes these as JavaScript does. */
const number = { phoneNumber: v.pipe(phoneNumber, keepsName()) }
const textOfOwnName = v.pipe(text, keepsName<string>())

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
  /**
   * The page asks for a code to verify, or for that of an enrolment that was begun again; the frame asks to begin
   * one.
   */
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
    output: v.object({ totpSecret: textOfOwnName, totpAuthUrl: textOfOwnName }),
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

const common = ['missing_or_invalid_token', 'insufficient_scope'] as const satisfies readonly ErrorCode[]
/** Where none was brought, `details.methods` of `missing_or_invalid_mfa` names the methods that the user has. */
const verifyErrors = [
  ...common,
  'missing_or_invalid_mfa',
  'mfa_verification_max_attempts_reached',
] as const satisfies readonly ErrorCode[]
const changeErrors = [
  ...common,
  'missing_or_invalid_mfa',
  'expired_or_invalid_mfa_token',
] as const satisfies readonly ErrorCode[]
/** A token whose user approved the removal of this method allows it. */
const removes = [
  ...changeErrors,
  'not_found',
  'approval_required_elsewhere',
  'user_rejected_request',
  'token_already_used',
  'method_too_new',
] as const satisfies readonly ErrorCode[]
const enrolls = [
  ...changeErrors,
  'not_supported',
  'invalid_credentials',
] as const satisfies readonly ErrorCode[]
const asksTwilio = [
  'too_many_requests',
  'twilio_verification_failed',
  'outcome_unknown',
] as const satisfies readonly ErrorCode[]

export const mfaDoc: RoutesDoc<typeof mfaRoutes> = {
  sendMfaCode: {
    summary:
      "Sends a code by SMS. `verify`, for the dialog: to the user's enrolled number. `enroll`: begins the enrolment of a number, which the wallet frame does with a wallet token, because it takes a verification where the user has a method; the dialog sends the code of an enrolment that its session began again, and begins one itself where the user has no method. `sent_to` is the number, masked: an asterisk and its last four digits.",
    errors: [...changeErrors, 'not_supported', 'invalid_data', 'user_unsubscribed', ...asksTwilio],
  },
  enrollSms: {
    summary:
      'Ends the enrolment that this session began for the number: codes to it verify from now on. Refused (`not_supported`) for a user who logs in by SMS. A wrong code is `invalid_credentials`.',
    errors: [...enrolls, ...asksTwilio],
  },
  verifySms: {
    summary: 'A verification by the code that was sent to the enrolled number.',
    errors: [...verifyErrors, ...asksTwilio],
  },
  unenrollSms: {
    summary: 'Codes by SMS verify no more: for a token with the confirmation of just that.',
    errors: removes,
  },
  beginTotp: {
    summary:
      'The secret for an authenticator app, which verifies once a code of it came back. Until then this session is given the same secret again, for ten minutes; afterwards nobody is.',
    errors: [...changeErrors, 'not_supported'],
  },
  enrollTotp: {
    summary:
      'Ends the enrolment that this session began: the authenticator app verifies from now on. A wrong code is `invalid_credentials`.',
    errors: enrolls,
  },
  verifyTotp: {
    summary:
      'A verification by the code of the authenticator app (RFC 6238: SHA-1, 6 digits, 30 s, one step either side). Each step verifies once.',
    errors: verifyErrors,
  },
  unenrollTotp: {
    summary:
      'The authenticator app verifies no more, and its secret is destroyed: for a token with the confirmation of just that.',
    errors: removes,
  },
  beginPasskeyVerification: {
    summary: "Makes the challenge of one verification, for this session, to the user's enrolled passkeys.",
    errors: ['must_be_authenticated', 'insufficient_scope', 'missing_or_invalid_mfa', 'too_many_requests'],
  },
  enrollPasskeys: {
    summary:
      'These passkeys of the user verify from now on, and no others: at most five. An empty list, for a token with the confirmation of just that: passkeys verify no more.',
    errors: [...removes, 'not_supported', 'linked_account_not_found'],
  },
  verifyPasskey: {
    summary: 'A verification by an enrolled passkey that answered a challenge of this session.',
    errors: [...verifyErrors, 'invalid_data'],
  },
}

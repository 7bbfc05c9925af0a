/**
 * Multi-factor verification. `verify` calls return a one-use token for the operation of the wallet token. The call that
 * releases or changes something takes it as `mfaToken`, for the same session, operation, purpose and wallet.
 */
import * as v from 'valibot'
import { phoneNumber } from '../../entities/phone-number.ts'
import { base64url, text, verificationCode } from '../../entities/primitives.ts'
import { userRecordSchema } from '../../entities/user.ts'
import type { ErrorCode } from '../../errors/error-codes.ts'
import { keepsName } from '../../names/naming.ts'
import type { Routes, RoutesDoc } from '../../rows/route.ts'
import { verifiedPurposes } from '../../vault/purposes.ts'
import { assertion, assertionOptions } from '../passkey/credentials.ts'
import { mfaLimits } from './limits.ts'
import { mfaTokenField } from './token.ts'

/** The specification names these fields in camelCase on the wire. */
const number = { phoneNumber: v.pipe(phoneNumber, keepsName()) }
const camelCaseText = v.pipe(text, keepsName<string>())

/** The one-use verification token. */
const verificationAnswer = v.object({ token: text })
/** The user with their current methods. */
const userAnswer = v.object({ user: userRecordSchema })

const route = {
  method: 'POST',
  auth: 'wallet',
  forks: false,
  effect: 'changes, replayed',
  appHeader: true,
} as const
const verifyRoute = { ...route, purposes: verifiedPurposes } as const
const changeRoute = { ...route, purposes: ['mfa'] } as const

export const mfaRoutes = {
  /**
   * The dialog requests codes to verify, or the code of a restarted enrollment. The wallet frame starts an enrollment.
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
    ...changeRoute,
    path: '/mfa/passwordless_sms/enroll',
    body: v.object({ code: verificationCode, ...number, ...mfaTokenField }),
    output: userAnswer,
  },
  verifySms: {
    ...verifyRoute,
    path: '/mfa/passwordless_sms/verify',
    body: v.object({ code: verificationCode }),
    output: verificationAnswer,
  },
  unenrollSms: {
    ...changeRoute,
    path: '/mfa/passwordless_sms/unenroll',
    body: v.object(mfaTokenField),
    output: userAnswer,
  },
  beginTotp: {
    ...changeRoute,
    path: '/mfa/totp/init',
    body: v.object(mfaTokenField),
    output: v.object({ totpSecret: camelCaseText, totpAuthUrl: camelCaseText }),
  },
  enrollTotp: {
    ...changeRoute,
    path: '/mfa/totp/enroll',
    body: v.object({ code: verificationCode, ...mfaTokenField }),
    output: userAnswer,
  },
  verifyTotp: {
    ...verifyRoute,
    path: '/mfa/totp/verify',
    body: v.object({ code: verificationCode }),
    output: verificationAnswer,
  },
  unenrollTotp: {
    ...changeRoute,
    path: '/mfa/totp/unenroll',
    body: v.object(mfaTokenField),
    output: userAnswer,
  },
  beginPasskeyVerification: {
    ...route,
    path: '/mfa/passkeys/init',
    auth: 'dialog',
    body: v.object({}),
    output: v.object({ relyingParty: text, options: assertionOptions }),
  },
  /** Sets the passkeys that verify the user. An empty list removes passkeys as a second factor. */
  enrollPasskeys: {
    ...changeRoute,
    path: '/mfa/passkey/enrollment',
    body: v.object({
      credentialIds: v.pipe(v.array(base64url), v.maxLength(mfaLimits.maxPasskeys)),
      ...mfaTokenField,
    }),
    output: userAnswer,
  },
  verifyPasskey: {
    ...verifyRoute,
    path: '/mfa/passkey/verify',
    body: v.object({ authenticatorResponse: assertion, relyingParty: v.exactOptional(text) }),
    output: verificationAnswer,
  },
} as const satisfies Routes

const commonErrors = [
  'missing_or_invalid_token',
  'insufficient_scope',
] as const satisfies readonly ErrorCode[]
/** Without a verification, `details.methods` of `missing_or_invalid_mfa` lists the user's methods. */
const verifyErrors = [
  ...commonErrors,
  'missing_or_invalid_mfa',
  'mfa_verification_max_attempts_reached',
] as const satisfies readonly ErrorCode[]
const changeErrors = [
  ...commonErrors,
  'missing_or_invalid_mfa',
  'expired_or_invalid_mfa_token',
] as const satisfies readonly ErrorCode[]
/** Errors of a removal, which needs a token with its confirmation. */
const removalErrors = [
  ...changeErrors,
  'not_found',
  'approval_required_elsewhere',
  'user_rejected_request',
  'token_already_used',
  'method_too_new',
] as const satisfies readonly ErrorCode[]
const enrollmentErrors = [
  ...changeErrors,
  'not_supported',
  'invalid_credentials',
] as const satisfies readonly ErrorCode[]
const smsErrors = [
  'too_many_requests',
  'twilio_verification_failed',
  'outcome_unknown',
] as const satisfies readonly ErrorCode[]

export const mfaDoc: RoutesDoc<typeof mfaRoutes> = {
  sendMfaCode: {
    summary:
      "Sends a code by SMS. `verify`, called by the dialog, sends it to the user's enrolled number. `enroll` starts the enrollment of a number. The wallet frame calls it with a wallet token, because a user with a second factor must verify first. The dialog calls it to resend the code of an enrollment, or to start one for a user without a second factor. `sent_to` is the masked number: an asterisk and its last four digits.",
    errors: [...changeErrors, 'not_supported', 'invalid_data', 'user_unsubscribed', ...smsErrors],
  },
  enrollSms: {
    summary:
      'Completes the enrollment of the number: codes to it verify the user from now on. `not_supported` for a user who logs in by SMS. A wrong code is `invalid_credentials`.',
    errors: [...enrollmentErrors, ...smsErrors],
  },
  verifySms: {
    summary: 'Verifies the user with the code that was sent to the enrolled number.',
    errors: [...verifyErrors, ...smsErrors],
  },
  unenrollSms: {
    summary: 'Removes SMS as a second factor. Requires a token with the confirmation of this removal.',
    errors: removalErrors,
  },
  beginTotp: {
    summary:
      'Returns the secret for an authenticator app. The app verifies the user once it has returned a code. Until then, this session gets the same secret for ten minutes; later the secret is never returned.',
    errors: [...changeErrors, 'not_supported'],
  },
  enrollTotp: {
    summary:
      'Completes the enrollment of the authenticator app, which verifies the user from now on. A wrong code is `invalid_credentials`.',
    errors: enrollmentErrors,
  },
  verifyTotp: {
    summary:
      'Verifies the user with a code of the authenticator app (RFC 6238: SHA-1, 6 digits, 30 s, one step of tolerance). Each time step verifies once.',
    errors: verifyErrors,
  },
  unenrollTotp: {
    summary:
      'Removes the authenticator app as a second factor and destroys its secret. Requires a token with the confirmation of this removal.',
    errors: removalErrors,
  },
  beginPasskeyVerification: {
    summary: "Creates the challenge of one verification for this session and the user's enrolled passkeys.",
    errors: ['must_be_authenticated', 'insufficient_scope', 'missing_or_invalid_mfa', 'too_many_requests'],
  },
  enrollPasskeys: {
    summary:
      'Sets the passkeys that verify the user, at most five. An empty list removes passkeys as a second factor and requires a token with the confirmation of this removal.',
    errors: [...removalErrors, 'not_supported', 'linked_account_not_found'],
  },
  verifyPasskey: {
    summary: 'Verifies the user with an enrolled passkey that answered a challenge of this session.',
    errors: [...verifyErrors, 'invalid_data'],
  },
}

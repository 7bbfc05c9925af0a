import type { ErrorCode } from '../../errors/error-codes.ts'
import type { RoutesDoc } from '../../rows/route.ts'
import type { mfaRoutes } from './api.ts'

const common = ['missing_or_invalid_token', 'insufficient_scope'] as const satisfies readonly ErrorCode[]
/** Where none was brought, `details.methods` of `missing_or_invalid_mfa` names the methods that the user has. */
const verifies = [
  ...common,
  'missing_or_invalid_mfa',
  'mfa_verification_max_attempts_reached',
] as const satisfies readonly ErrorCode[]
const changes = [
  ...common,
  'missing_or_invalid_mfa',
  'expired_or_invalid_mfa_token',
] as const satisfies readonly ErrorCode[]
/** By a token whose user approved that this method goes. */
const removes = [
  ...changes,
  'not_found',
  'approval_required_elsewhere',
  'user_rejected_request',
  'token_already_used',
  'method_too_new',
] as const satisfies readonly ErrorCode[]
const enrolls = [...changes, 'not_supported', 'invalid_credentials'] as const satisfies readonly ErrorCode[]
const asksTwilio = [
  'too_many_requests',
  'twilio_verification_failed',
  'outcome_unknown',
] as const satisfies readonly ErrorCode[]

export const mfaDoc: RoutesDoc<typeof mfaRoutes> = {
  sendMfaCode: {
    says: "Sends a code by SMS. `verify`, for the dialog: to the user's enrolled number. `enroll`: begins the enrolment of a number, which the wallet frame does with a wallet token, because it takes a verification where the user has a method; the dialog sends the code of an enrolment that its session began again, and begins one itself where the user has no method. `sent_to` is the number, masked: an asterisk and its last four digits.",
    errors: [...changes, 'not_supported', 'invalid_data', 'user_unsubscribed', ...asksTwilio],
  },
  enrollSms: {
    says: 'Ends the enrolment that this session began for the number: codes to it verify from now on. Refused (`not_supported`) for a user who logs in by SMS. A wrong code is `invalid_credentials`.',
    errors: [...enrolls, ...asksTwilio],
  },
  verifySms: {
    says: 'A verification by the code that was sent to the enrolled number.',
    errors: [...verifies, ...asksTwilio],
  },
  unenrollSms: {
    says: 'Codes by SMS verify no more: for a token with the confirmation of just that.',
    errors: removes,
  },
  beginTotp: {
    says: 'The secret for an authenticator app, which verifies once a code of it came back. Until then this session is given the same secret again, for ten minutes; afterwards nobody is.',
    errors: [...changes, 'not_supported'],
  },
  enrollTotp: {
    says: 'Ends the enrolment that this session began: the authenticator app verifies from now on. A wrong code is `invalid_credentials`.',
    errors: enrolls,
  },
  verifyTotp: {
    says: 'A verification by the code of the authenticator app (RFC 6238: SHA-1, 6 digits, 30 s, one step either side). Each step verifies once.',
    errors: verifies,
  },
  unenrollTotp: {
    says: 'The authenticator app verifies no more, and its secret is destroyed: for a token with the confirmation of just that.',
    errors: removes,
  },
  beginPasskeyVerification: {
    says: "Makes the challenge of one verification, for this session, to the user's enrolled passkeys.",
    errors: ['must_be_authenticated', 'insufficient_scope', 'missing_or_invalid_mfa', 'too_many_requests'],
  },
  enrollPasskeys: {
    says: 'These passkeys of the user verify from now on, and no others: at most five. An empty list, for a token with the confirmation of just that: passkeys verify no more.',
    errors: [...removes, 'not_supported', 'linked_account_not_found'],
  },
  verifyPasskey: {
    says: 'A verification by an enrolled passkey that answered a challenge of this session.',
    errors: [...verifies, 'invalid_data'],
  },
}

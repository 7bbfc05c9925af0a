/** Maps errors of a verification, or of a method change, to errors for the caller and problems for the screen. */

import { type ErrorCode, LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import { mfaCanceledMessage } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { type VerificationProblem, verificationProblem } from '../../approval/verification-problem.ts'

export type MfaProblem = VerificationProblem | 'invalid' | 'other'

export const canceled = () => new LatchkeyError('missing_or_invalid_mfa', mfaCanceledMessage)
export const timedOut = () => new LatchkeyError('mfa_timeout', 'Timed out waiting for MFA code')
export const unsupportedMethod = () => new LatchkeyError('invalid_data', 'Unsupported MFA method')

/** Returns the error for the caller: a wrong answer gets its documented message, any other error stays unchanged. */
export const retry = (error: LatchkeyError) =>
  error.code === 'missing_or_invalid_mfa'
    ? new LatchkeyError('missing_or_invalid_mfa', 'MFA verification failed, retry.', { cause: error })
    : error

export const tooManyTries = (cause: LatchkeyError) =>
  new LatchkeyError(
    'mfa_verification_max_attempts_reached',
    'The maximum number of verification attempts was reached',
    { cause },
  )

/** Codes of a failed verification. The interrupted call did not fail, so the user may answer again. */
const verificationCodes: readonly ErrorCode[] = [
  'missing_or_invalid_mfa',
  'expired_or_invalid_mfa_token',
  'mfa_verification_max_attempts_reached',
  'unknown_mfa_error',
  'twilio_verification_failed',
  'user_unsubscribed',
  'too_many_requests',
  'client_request_timeout',
  'server_unreachable',
]
export const isOfVerification = ({ code, details }: LatchkeyError) =>
  verificationCodes.includes(code) && !v.is(ofVerified, details)
/** Details of the wallet frame for an error after a correct answer. */
const ofVerified = v.looseObject({ verified: v.literal(true) })

const isWrong = (code: ErrorCode) =>
  code === 'missing_or_invalid_mfa' || code === 'expired_or_invalid_mfa_token'

export const problemOf = (error: LatchkeyError): MfaProblem =>
  verificationProblem(error) ?? (isWrong(error.code) ? 'invalid' : 'other')

export const verifyProblemOf = (error: unknown): MfaProblem =>
  problemOf(toLatchkeyError(error, 'unknown_mfa_error', 'The verification failed'))

/** Returns whether no further answer is accepted. The screen shows these, and callers receive all other errors alone. */
export const isLimit = (error: unknown): boolean => {
  const problem = verifyProblemOf(error)
  return problem === 'maxAttempts' || problem === 'timeLimit'
}

/** The reasons that a method was not added or removed, each with a text. */
export type EnrolProblem = MfaProblem | 'unknown' | 'passkeyNotAllowed' | 'tooManyPasskeys' | 'smsIsLogin'

const ofEnrolment: { [code in ErrorCode]?: EnrolProblem } = {
  // Only an enrolment shows this for a wrong code.
  invalid_credentials: 'invalid',
  passkey_not_allowed: 'passkeyNotAllowed',
  cannot_link_more_of_type: 'tooManyPasskeys',
}

export function enrolProblemOf(cause: unknown): EnrolProblem {
  const error: LatchkeyError = toLatchkeyError(cause, 'unknown_mfa_error', 'The method could not be changed')
  const problem = ofEnrolment[error.code] ?? problemOf(error)
  return problem === 'other' ? 'unknown' : problem
}

/** The user canceled, so the message is not an error. */
export const isOwnChoice = (problem: EnrolProblem) =>
  problem === 'canceled' || problem === 'passkeyNotAllowed'

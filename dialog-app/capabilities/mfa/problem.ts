/** A verification goes wrong with an error for its caller, of which a screen says the problem. */
import { type ErrorCode, LatchkeyError } from '@latchkey/protocol'
import { mfaCanceledMessage } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { type VerificationProblem, verificationProblem } from '../../approval/verification-problem.ts'

export type MfaProblem = VerificationProblem | 'invalid' | 'other'

export const canceled = () => new LatchkeyError('missing_or_invalid_mfa', mfaCanceledMessage)
export const timedOut = () => new LatchkeyError('mfa_timeout', 'Timed out waiting for MFA code')
export const unsupportedMethod = () => new LatchkeyError('invalid_data', 'Unsupported MFA method')

/** A wrong answer is told in the words that callers know, and another failure as it is. */
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

/** The answer met these, and not the call that it was for: another answer may be taken. */
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
/** The frame says that the answer was right. */
const ofVerified = v.looseObject({ verified: v.literal(true) })

const isWrong = (code: ErrorCode) =>
  code === 'missing_or_invalid_mfa' || code === 'expired_or_invalid_mfa_token'

export const problemOf = (error: LatchkeyError): MfaProblem =>
  verificationProblem(error) ?? (isWrong(error.code) ? 'invalid' : 'other')

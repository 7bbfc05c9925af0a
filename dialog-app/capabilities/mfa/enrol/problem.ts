/** Why a method was not added or removed, as far as there are words for it. */
import { type ErrorCode, type LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import { type MfaProblem, problemOf } from '../problem.ts'

export type EnrolProblem = MfaProblem | 'unknown' | 'passkeyNotAllowed' | 'tooManyPasskeys' | 'smsIsLogin'

const ofEnrolment: { readonly [code in ErrorCode]?: EnrolProblem } = {
  // Of an enrolment, as against a verification.
  invalid_credentials: 'invalid',
  passkey_not_allowed: 'passkeyNotAllowed',
  cannot_link_more_of_type: 'tooManyPasskeys',
}

export function enrolProblemOf(cause: unknown): EnrolProblem {
  const error: LatchkeyError = toLatchkeyError(cause, 'unknown_mfa_error', 'The method could not be changed')
  const known = ofEnrolment[error.code] ?? problemOf(error)
  return known === 'other' ? 'unknown' : known
}

/** A method was not added or removed for one of these reasons, as far as there are words for it. */
import { type ErrorCode, type LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import { type MfaProblem, problemOf } from '../problem.ts'

export type EnrolProblem = MfaProblem | 'unknown' | 'passkeyNotAllowed' | 'tooManyPasskeys' | 'smsIsLogin'

const ofEnrolment: { readonly [code in ErrorCode]?: EnrolProblem } = {
  // An enrolment says so of a wrong code, and a verification does not.
  invalid_credentials: 'invalid',
  passkey_not_allowed: 'passkeyNotAllowed',
  cannot_link_more_of_type: 'tooManyPasskeys',
}

export function enrolProblemOf(cause: unknown): EnrolProblem {
  const error: LatchkeyError = toLatchkeyError(cause, 'unknown_mfa_error', 'The method could not be changed')
  const known = ofEnrolment[error.code] ?? problemOf(error)
  return known === 'other' ? 'unknown' : known
}

/** The user did not go through with it, so that nothing is wrong. */
export const isOwnChoice = (problem: EnrolProblem) => problem === 'canceled'

import { LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import { exitCodes } from '../flow/flow.ts'
import { verificationProblem } from './verification-problem.ts'

/** Code and message as in EIP-1193. */
const userRejected = { code: 4001, message: 'The user rejected the request' }

export const rejectedError = () =>
  new LatchkeyError(exitCodes.approval, userRejected.message, { details: { code: userRejected.code } })

/** Returns whether the user rejected. */
export const isRejection = (error: unknown): error is LatchkeyError => hasCode(error, [exitCodes.approval])

/** Keeps verification errors, and wraps all others as `unable_to_sign`. */
export function unableToSign(cause: unknown, problem: string): LatchkeyError {
  const error = toLatchkeyError(cause, 'unable_to_sign', problem)
  if (verificationProblem(error)) return error
  return new LatchkeyError('unable_to_sign', problem, { cause, details: { cause: error.code } })
}

/** Returns whether a retry is pointless: the user rejected, or no browser here can confirm. */
export const isRefusal = (error: unknown): error is LatchkeyError =>
  hasCode(error, [exitCodes.approval, 'approval_required_elsewhere'])

/** The user did not decide in time. */
export const confirmationExpired = () =>
  new LatchkeyError('client_request_timeout', 'The request was not confirmed in time')

/** Returns whether the confirmation expired, so that the request must be confirmed again. */
export const isExpiry = (error: unknown): boolean =>
  hasCode(error, ['client_request_timeout', 'not_found', 'token_already_used'])

const hasCode = (error: unknown, codes: readonly string[]): error is LatchkeyError =>
  error instanceof LatchkeyError && codes.includes(error.code)

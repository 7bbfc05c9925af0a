import { LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import { exitCodes } from '../flow/flow.ts'
import { verificationProblem } from './verification-problem.ts'

/** The code and the words are those of EIP-1193. */
const userRejected = { code: 4001, message: 'The user rejected the request' }

export const rejectedError = () =>
  new LatchkeyError(exitCodes.approval, userRejected.message, { details: { code: userRejected.code } })

/** A verification that came to nothing is told as it is; anything else is what became of the signature. */
export function unableToSign(cause: unknown, problem: string): LatchkeyError {
  const error = toLatchkeyError(cause, 'unable_to_sign', problem)
  if (verificationProblem(error)) return error
  return new LatchkeyError('unable_to_sign', problem, { cause, details: { cause: error.code } })
}

/** The user did not want it, or has no browser to confirm it in: nothing is gained by asking once more. */
export const isRefusal = (error: unknown): error is LatchkeyError =>
  hasCode(error, [exitCodes.approval, 'approval_required_elsewhere'])

/** Nobody decided in time. */
export const confirmationExpired = () =>
  new LatchkeyError('client_request_timeout', 'The request was not confirmed in time')

/** The confirmation is over, so that the request is confirmed anew. */
export const isExpiry = (error: unknown): boolean =>
  hasCode(error, ['client_request_timeout', 'not_found', 'token_already_used'])

const hasCode = (error: unknown, codes: readonly string[]): error is LatchkeyError =>
  error instanceof LatchkeyError && codes.includes(error.code)

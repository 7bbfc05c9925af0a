import { LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import { exitCodes } from './flow.ts'
import { verificationProblem } from './verification-problem.ts'

/** As EIP-1193 has it. */
const userRejected = { code: 4001, message: 'The user rejected the request' }

export const rejectedError = () =>
  new LatchkeyError(exitCodes.approval, userRejected.message, { details: { code: userRejected.code } })

/** A verification that came to nothing is told as it is; anything else is what became of the signature. */
export function unableToSign(cause: unknown, problem: string): LatchkeyError {
  const error = toLatchkeyError(cause, 'unable_to_sign', problem)
  if (verificationProblem(error)) return error
  return new LatchkeyError('unable_to_sign', problem, { cause, details: { cause: error.code } })
}

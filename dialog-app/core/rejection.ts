import { LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import { exitCodes } from './flow.ts'

/** As EIP-1193 has it. */
const userRejected = { code: 4001, message: 'The user rejected the request' }

export const rejectedError = () =>
  new LatchkeyError(exitCodes.approval, userRejected.message, { details: { code: userRejected.code } })

export const unableToSign = (cause: unknown, problem: string) =>
  new LatchkeyError('unable_to_sign', problem, {
    cause,
    details: { cause: toLatchkeyError(cause, 'unable_to_sign', problem).code },
  })

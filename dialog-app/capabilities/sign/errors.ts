import { LatchkeyError, rpcErrorTexts, toLatchkeyError } from '@latchkey/protocol'
import { exitCodes } from '../../core/flow.ts'

const userRejectedCode = 4001

export const rejectedError = () =>
  new LatchkeyError(exitCodes.approval, rpcErrorTexts[userRejectedCode], {
    details: { code: userRejectedCode },
  })

export const hiddenError = () =>
  new LatchkeyError('not_visible', 'The request could not be seen whole, so it could not be approved')

export const unableToSign = (cause: unknown, problem: string) =>
  new LatchkeyError('unable_to_sign', problem, {
    cause,
    details: { cause: toLatchkeyError(cause, 'unable_to_sign', problem).code },
  })

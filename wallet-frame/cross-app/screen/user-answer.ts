/** Waits for one answer of the user. Rejects if the user cancels or the signal aborts. */
import { LatchkeyError } from '@latchkey/protocol'
import { untilAborted } from '../../abort.ts'

export function waitForUser<Answer>(
  signal: AbortSignal,
  put: (resolve: (answer: Answer) => void, reject: (why: unknown) => void) => void,
): Promise<Answer> {
  const question = Promise.withResolvers<Answer>()
  put(question.resolve, question.reject)
  return untilAborted(question.promise, signal)
}

export const canceled = () => new LatchkeyError('user_rejected_request', 'The user canceled this')

export const isCanceled = (error: unknown) =>
  error instanceof LatchkeyError && error.code === 'user_rejected_request'

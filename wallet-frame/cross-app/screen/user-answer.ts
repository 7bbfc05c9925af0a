/** One question to the user: answered once, or given up by them or by whoever asked. */
import { LatchkeyError } from '@latchkey/protocol'
import { untilAborted } from '../../abort.ts'

export function answerOfUser<Answer>(
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

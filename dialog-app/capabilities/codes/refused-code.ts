/** Maps the error of a rejected code to a message or to a screen. */
import type { ErrorCode, LatchkeyError } from '@latchkey/protocol'
import { httpStatus } from '../../api/problem.ts'
import { type ErrorTable, rowFor } from '../../contract/error-table.ts'
import type { Texts } from './texts.arb'

/** The name of a text, or a sentence of the server. */
export type CodeProblem = keyof Texts['problems'] | { sentence: string }

export type RefusedCode = { type: 'problem'; problem: CodeProblem; waitMinutes?: number } | { type: 'screen' }

const unprocessable = 422

export const outcomes: ErrorTable<(error: LatchkeyError) => RefusedCode> = {
  byCode: {
    cannot_link_more_of_type: (error) => ({ type: 'problem', problem: { sentence: error.message } }),
    linked_to_another_user: () => ({ type: 'screen' }),
    too_many_requests: ({ retryAfterSeconds }) => ({
      type: 'problem',
      problem: 'other',
      ...(retryAfterSeconds !== undefined && { waitMinutes: Math.ceil(retryAfterSeconds / 60) }),
    }),
  },
  other: (error) => ({ type: 'problem', problem: httpStatus(error) === unprocessable ? 'invalid' : 'other' }),
}

export function outcomeOfRefusedCode(
  error: LatchkeyError,
  hasOwnScreen: (code: ErrorCode) => boolean,
): RefusedCode {
  return hasOwnScreen(error.code) ? { type: 'screen' } : rowFor(outcomes, error.code)(error)
}

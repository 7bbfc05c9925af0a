/** What a refused code leads to. */
import type { ErrorCode, LatchkeyError } from '@latchkey/protocol'
import { httpStatus } from '../../api/problem.ts'
import { type ErrorTable, rowFor } from '../../contract/error-table.ts'
import { english } from './texts.arb'

export type RefusedCode =
  | { readonly type: 'problem'; readonly text: string; readonly waitMinutes?: number }
  | { readonly type: 'screen' }

const unprocessable = 422

const { invalid, other } = english.problems

export const outcomes: ErrorTable<(error: LatchkeyError) => RefusedCode> = {
  byCode: {
    cannot_link_more_of_type: (error) => ({ type: 'problem', text: error.message }),
    linked_to_another_user: () => ({ type: 'screen' }),
    too_many_requests: ({ retryAfterSeconds }) => ({
      type: 'problem',
      text: other,
      ...(retryAfterSeconds !== undefined && { waitMinutes: Math.ceil(retryAfterSeconds / 60) }),
    }),
  },
  other: (error) => ({ type: 'problem', text: httpStatus(error) === unprocessable ? invalid : other }),
}

export function outcomeOfRefusedCode(
  error: LatchkeyError,
  hasOwnScreen: (code: ErrorCode) => boolean,
): RefusedCode {
  return hasOwnScreen(error.code) ? { type: 'screen' } : rowFor(outcomes, error.code)(error)
}

/** What a refused code leads to: the table of the specification for code entry. */
import type { ErrorCode, LatchkeyError } from '@latchkey/protocol'
import { httpStatus } from '../../api/problem.ts'
import { english } from './texts.en.ts'

export type RefusedCode =
  | { readonly type: 'problem'; readonly text: string; readonly waitMinutes?: number }
  | { readonly type: 'screen' }

const unprocessable = 422

const byCode: { readonly [code in ErrorCode]?: (error: LatchkeyError) => RefusedCode } = {
  cannot_link_more_of_type: (error) => ({ type: 'problem', text: error.message }),
  linked_to_another_user: () => ({ type: 'screen' }),
  too_many_requests: ({ retryAfterSeconds }) => ({
    type: 'problem',
    text: english.problems.other,
    ...(retryAfterSeconds !== undefined && { waitMinutes: Math.ceil(retryAfterSeconds / 60) }),
  }),
}

export function outcomeOfRefusedCode(
  error: LatchkeyError,
  hasOwnScreen: (code: ErrorCode) => boolean,
): RefusedCode {
  if (hasOwnScreen(error.code)) return { type: 'screen' }
  const outcome = byCode[error.code]
  if (outcome) return outcome(error)
  const { invalid, other } = english.problems
  return { type: 'problem', text: httpStatus(error) === unprocessable ? invalid : other }
}

/** What a refused code leads to: the table of the specification for code entry. */
import { type ErrorCode, type LatchkeyError, messages, otherCodeProblem } from '@latchkey/protocol'
import { httpStatus } from '../api/problem.ts'

export type CodeOutcome =
  | { readonly type: 'problem'; readonly text: string }
  | {
      readonly type: 'screen'
      readonly name:
        | 'USER_LIMIT_REACHED_SCREEN'
        | 'ACCOUNT_NOT_FOUND_SCREEN'
        | 'ALLOWLIST_REJECTION_SCREEN'
        | 'ERROR_SCREEN'
    }

const unprocessable = 422

const byCode: { readonly [code in ErrorCode]?: (error: LatchkeyError) => CodeOutcome } = {
  cannot_link_more_of_type: (error) => ({ type: 'problem', text: error.message }),
  max_accounts_reached: () => ({ type: 'screen', name: 'USER_LIMIT_REACHED_SCREEN' }),
  user_does_not_exist: () => ({ type: 'screen', name: 'ACCOUNT_NOT_FOUND_SCREEN' }),
  linked_to_another_user: () => ({ type: 'screen', name: 'ERROR_SCREEN' }),
  allowlist_rejected: () => ({ type: 'screen', name: 'ALLOWLIST_REJECTION_SCREEN' }),
}

export function codeOutcome(error: LatchkeyError): CodeOutcome {
  const outcome = byCode[error.code]
  if (outcome) return outcome(error)
  if (httpStatus(error) === unprocessable) return { type: 'problem', text: messages.invalidVerificationCode }
  return { type: 'problem', text: otherCodeProblem }
}

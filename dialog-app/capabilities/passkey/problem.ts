/** Why it did not come to a login, or to a new passkey: what the specification has words for. */
import type { ErrorTable } from '../../contract/error-table.ts'

export type PasskeyProblem = 'tooMany' | 'notAllowed' | 'unknown'

export const problems: ErrorTable<PasskeyProblem> = {
  byCode: { cannot_link_more_of_type: 'tooMany', passkey_not_allowed: 'notAllowed' },
  other: 'unknown',
}

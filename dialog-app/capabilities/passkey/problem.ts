/** Errors of a login by passkey, and of a new passkey, that have a text in the specification. */
import type { ErrorTable } from '../../contract/error-table.ts'

export type PasskeyProblem = 'tooMany' | 'notAllowed' | 'unknown'

export const problems: ErrorTable<PasskeyProblem> = {
  byCode: { cannot_link_more_of_type: 'tooMany', passkey_not_allowed: 'notAllowed' },
  other: 'unknown',
}

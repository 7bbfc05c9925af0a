/** The texts of CROSS_APP_AUTH_SCREEN for each error. The caller gets the same text as the error message. */
import { LatchkeyError } from '@latchkey/protocol'
import { formatText } from '@latchkey/protocol/texts'
import { type ErrorTable, rowFor } from '../../contract/error-table.ts'
import { type Texts as CrossAppTexts, english } from './texts.arb'

export type AuthFailure = {
  text: keyof CrossAppTexts['failures']
  isRetryable: boolean
}

const said = (text: AuthFailure['text']): AuthFailure => ({ text, isRetryable: false })
const issue = said('issue')

export const failures: ErrorTable<AuthFailure> = {
  byCode: {
    oauth_user_denied: said('denied'),
    client_request_timeout: said('timeout'),
    pkce_state_code_mismatch: said('code'),
    invalid_credentials: said('code'),
    cross_app_connection_not_allowed: said('notConnected'),
    linked_to_another_user: said('linked'),
    oauth_unexpected: issue,
    invalid_data: issue,
    not_found: issue,
    outcome_unknown: issue,
    server_unreachable: issue,
    unavailable: issue,
  },
  other: issue,
}

/** Returns the error with the text of its row as the message. Errors without a row are returned unchanged. */
export function inOurWords(error: unknown, app: string): unknown {
  if (!(error instanceof LatchkeyError) || !failures.byCode[error.code]) return error
  const { code, details } = error
  return new LatchkeyError(code, formatText(english.failures[rowFor(failures, code).text], { app }), {
    cause: error,
    details,
  })
}

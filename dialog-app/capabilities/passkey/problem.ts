/** Why it did not come to a login, or to a new passkey: what the specification has words for. */
import type { ErrorCode } from '@latchkey/protocol'

export type PasskeyProblem = 'tooMany' | 'notAllowed' | 'unknown'

const problems: { readonly [code in ErrorCode]?: PasskeyProblem } = {
  cannot_link_more_of_type: 'tooMany',
  passkey_not_allowed: 'notAllowed',
}

export const passkeyProblem = (code: ErrorCode): PasskeyProblem => problems[code] ?? 'unknown'

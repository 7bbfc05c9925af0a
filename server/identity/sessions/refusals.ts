import { LatchkeyError } from '@latchkey/protocol'

/** One sentence for all reasons: who presents a token that is not theirs learns nothing from the answer. */
export const invalidToken = () =>
  new LatchkeyError('missing_or_invalid_token', 'The session has ended. Please log in again.')
export const tokenAlreadyUsed = () => new LatchkeyError('token_already_used', 'This token was used before')

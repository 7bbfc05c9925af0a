import { LatchkeyError } from '@latchkey/protocol'

/** Has the same message for all reasons, so that the holder of a stolen token learns nothing. */
export const invalidToken = () =>
  new LatchkeyError('missing_or_invalid_token', 'The session has ended. Please log in again.')
export const tokenAlreadyUsed = () => new LatchkeyError('token_already_used', 'This token was used before')

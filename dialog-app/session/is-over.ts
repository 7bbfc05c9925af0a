import { LatchkeyError } from '@latchkey/protocol'

/** The server says that this session is over. Anything else may be better at the next try. */
export const isOver = (error: unknown) =>
  error instanceof LatchkeyError &&
  (error.code === 'missing_or_invalid_token' || error.code === 'token_already_used')

import { LatchkeyError } from '@latchkey/protocol'

/** True if the server did not answer, so that the same call may be sent again. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof LatchkeyError && unanswered.has(error.code)

const unanswered: ReadonlySet<string> = new Set([
  'server_unreachable',
  'client_request_timeout',
  'unavailable',
])

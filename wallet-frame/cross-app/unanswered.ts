import { LatchkeyError } from '@latchkey/protocol'

/** Nobody has said anything: the same may be asked again. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof LatchkeyError && unanswered.has(error.code)

const unanswered: ReadonlySet<string> = new Set([
  'server_unreachable',
  'client_request_timeout',
  'unavailable',
])

/** What went wrong with a passkey, as far as its user can do something about it. */
import { type ErrorCode, toLatchkeyError } from '@latchkey/protocol'
import * as v from 'valibot'

export const passkeyProblems = [
  'notAllowed',
  'unable',
  'foreign',
  'locked',
  'changedElsewhere',
  'failed',
] as const
export type PasskeyProblem = (typeof passkeyProblems)[number]

const ofCode: { readonly [code in ErrorCode]?: PasskeyProblem } = {
  passkey_not_allowed: 'notAllowed',
  not_supported: 'unable',
  invalid_recovery_pin: 'foreign',
  share_mismatch: 'foreign',
  too_many_requests: 'locked',
  embedded_wallet_recovery_already_exists: 'changedElsewhere',
}
/** As the vault says it of what it could not open. */
const detailsSchema = v.object({ code: v.literal('envelope_refused') })

export function problemOf(error: unknown): PasskeyProblem {
  const { code, details } = toLatchkeyError(error, 'error', '')
  if (v.safeParse(detailsSchema, details).success) return 'foreign'
  return ofCode[code] ?? 'failed'
}

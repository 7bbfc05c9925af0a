/** Maps cloud recovery errors to messages that explain the next step. */
import { type ErrorCode, toLatchkeyError } from '@latchkey/protocol'
import * as v from 'valibot'
import { RecoveryFailure } from '../../../wallet/recovery-failure.ts'

export const cloudProblems = [
  'closed',
  'in-app',
  'denied',
  'late',
  'unseen',
  'noAccess',
  'missing',
  'foreign',
  'full',
  'changedElsewhere',
  'unable',
  'failed',
] as const
export type CloudProblem = (typeof cloudProblems)[number]

const ofCode: { [code in ErrorCode]?: CloudProblem } = {
  user_rejected_request: 'closed',
  oauth_user_denied: 'denied',
  client_request_timeout: 'late',
  embedded_wallet_recovery_already_exists: 'changedElsewhere',
  envelope_refused: 'foreign',
  share_mismatch: 'foreign',
}
/** Reasons in errors of the wallet frame and the vault. */
const ofReason: Readonly<Record<string, CloudProblem>> = {
  access_ended: 'noAccess',
  file_missing: 'missing',
  file_malformed: 'foreign',
  file_of_another_wallet: 'foreign',
  no_space: 'full',
}
const detailsSchema = v.object({ reason: v.optional(v.string(), ''), code: v.optional(v.string(), '') })

export function problemOf(error: unknown): CloudProblem {
  if (error instanceof RecoveryFailure) return 'unable'
  const { code, details } = toLatchkeyError(error, 'error', '')
  const parsed = v.safeParse(detailsSchema, details)
  const { reason, code: inner } = parsed.success ? parsed.output : { reason: '', code: '' }
  const byInner = Object.entries(ofCode).find(([name]) => name === inner)?.[1]
  return ofReason[reason] ?? byInner ?? ofCode[code] ?? 'failed'
}

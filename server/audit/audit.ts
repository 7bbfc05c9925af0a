/** What was done to whom, written in the transaction that does it. No secrets, codes or addresses. */
import { randomId } from '../ids.ts'
import { type Clock, nowSeconds, type Trx } from '../ports.ts'

export type AuditEntry = {
  /** `area.what_happened`, in the past. */
  readonly event: string
  readonly appId: string | null
  readonly userId: string | null
  readonly sessionId: string | null
  readonly details: Readonly<Record<string, string | number | boolean | null>>
}

export async function recordAudit(trx: Trx, clock: Clock, entry: AuditEntry): Promise<void> {
  await trx
    .insertInto('audit_log')
    .values({
      id: randomId(),
      app_id: entry.appId,
      user_id: entry.userId,
      session_id: entry.sessionId,
      event: entry.event,
      details: JSON.stringify(entry.details),
      created_at: nowSeconds(clock),
    })
    .execute()
}

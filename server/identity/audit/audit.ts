/**
 * Records audit entries in the transaction of the audited change, and publishes the webhook event of the change there.
 * Entries contain no secrets, codes, e-mail addresses or phone numbers. Recipients of transactions are public on the
 * chain anyway.
 */
import type { AppMetric } from '@latchkey/protocol/admin'
import { countForApp } from '../../kernel/app-counts.ts'
import { compileQuery, type Placeholder } from '../../kernel/db/compile-query.ts'
import type { Row } from '../../kernel/db/schema.ts'
import { randomId } from '../../kernel/ids.ts'
import { type Clock, nowSeconds, type Trx } from '../../kernel/ports.ts'
import { afterCommit } from '../../kernel/telemetry/after-commit.ts'
import { publishAudited } from '../outbox/outbox.ts'

type AuditTable = {
  id: string
  app_id: string | null
  user_id: string | null
  session_id: string | null
  event: string
  details: string
  created_at: number
}

declare module '../../kernel/db/schema.ts' {
  interface Database {
    audit_log: AuditTable
  }
}

export type AuditEntry = {
  /** `area.event`, in the past tense. */
  event: string
  appId: string | null
  userId: string | null
  sessionId: string | null
  details: Readonly<Record<string, string | number | boolean | null>>
}

const record = compileQuery((db, value: Placeholder<Row<'audit_log'>>) =>
  db.insertInto('audit_log').values({
    id: value('id'),
    app_id: value('app_id'),
    user_id: value('user_id'),
    session_id: value('session_id'),
    event: value('event'),
    details: value('details'),
    created_at: value('created_at'),
  }),
)

export async function recordAudit(trx: Trx, clock: Clock, entry: AuditEntry): Promise<void> {
  await record(trx, {
    id: randomId(),
    app_id: entry.appId,
    user_id: entry.userId,
    session_id: entry.sessionId,
    event: entry.event,
    details: JSON.stringify(entry.details),
    created_at: nowSeconds(clock),
  })
  await publishAudited(trx, clock, entry)
  countAudited(trx, entry)
}

/** The statistics that audit events count, each with the detail by which they are grouped. */
const countedEvents: Readonly<Record<string, { metric: AppMetric; by: string }>> = {
  'session.started': { metric: 'logins', by: 'method' },
  'user.created': { metric: 'new_users', by: 'account' },
  'wallet.created': { metric: 'wallets_created', by: 'chain' },
  'wallet.signed': { metric: 'signatures', by: 'place' },
}

function countAudited(trx: Trx, { event, appId, details }: AuditEntry): void {
  const counted = Object.hasOwn(countedEvents, event) ? countedEvents[event] : undefined
  if (counted === undefined || appId === null) return
  afterCommit(trx, () => countForApp(appId, counted.metric, String(details[counted.by] ?? '')))
}

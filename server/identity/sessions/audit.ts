import type { ServerContext } from '../../kernel/context.ts'
import type { Trx } from '../../kernel/ports.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Session } from './store.ts'

export type SessionEvent =
  | 'session.forked'
  | 'session.fork_started'
  | 'session.started_by_code'
  | 'session.handover_created'
  | 'session.handed_over'
  | 'session.logged_out'
  | 'session.all_revoked'
  | 'session.ended_by_user'
  | 'session.reuse_detected'
  | 'session.superseded'

export const auditSession = (
  trx: Trx,
  context: Pick<ServerContext, 'clock'>,
  session: Pick<Session, 'id' | 'app_id' | 'user_id'>,
  event: SessionEvent,
  details: Readonly<Record<string, string | number>> = {},
) =>
  recordAudit(trx, context.clock, {
    event,
    appId: session.app_id,
    userId: session.user_id,
    sessionId: session.id,
    details,
  })

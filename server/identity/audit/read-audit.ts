/** The audit log as an operator reads it: the newest entries first, a page at a time. */

import type { Row } from '../../kernel/db/schema.ts'
import type { Reader } from '../../kernel/ports.ts'

export type AuditFilter = {
  appId?: string | undefined
  userIds?: readonly string[] | undefined
  /** The name of an event, or the area before its dot. */
  event?: string | undefined
  /** Entries from this second on. */
  since?: number | undefined
  /** Entries before this second. */
  until?: number | undefined
}
/** An entry, where the next page goes on. */
export type AuditPlace = { at: number; id: string }
export type AuditRow = Row<'audit_log'>

export function auditBefore(
  reader: Reader,
  { appId, userIds, event, since, until }: AuditFilter,
  before: AuditPlace | undefined,
  limit: number,
): Promise<readonly AuditRow[]> {
  let query = reader
    .selectFrom('audit_log')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (appId !== undefined) query = query.where('app_id', '=', appId)
  if (userIds !== undefined) query = query.where('user_id', 'in', userIds)
  if (since !== undefined) query = query.where('created_at', '>=', since)
  if (until !== undefined) query = query.where('created_at', '<', until)
  if (event?.includes('.')) query = query.where('event', '=', event)
  else if (event !== undefined) {
    const area = `${event}.`
    query = query.where(({ eb, fn, val, lit }) =>
      eb(fn('substr', ['event', lit(1), lit(area.length)]), '=', val(area)),
    )
  }
  if (before) {
    const { at, id } = before
    query = query.where((row) =>
      row.or([row('created_at', '<', at), row.and([row('created_at', '=', at), row('id', '<', id)])]),
    )
  }
  return query.execute()
}

export async function isInAudit(reader: Reader, userId: string, appId: string | undefined): Promise<boolean> {
  let query = reader.selectFrom('audit_log').select('id').where('user_id', '=', userId).limit(1)
  if (appId !== undefined) query = query.where('app_id', '=', appId)
  return (await query.executeTakeFirst()) !== undefined
}

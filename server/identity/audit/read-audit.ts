/** Reads the audit log for operators, newest entries first, in pages. */

import type { Row } from '../../kernel/db/schema.ts'
import type { Reader } from '../../kernel/ports.ts'

export type AuditFilter = {
  appId?: string | undefined
  userIds?: readonly string[] | undefined
  /** An event name, or the area before its dot. */
  event?: string | undefined
  /** The first second to include. */
  since?: number | undefined
  /** The first second to exclude. */
  until?: number | undefined
}
/** The position of an entry, after which the next page starts. */
export type AuditPosition = { at: number; id: string }
export type AuditRow = Row<'audit_log'>

export function readAuditPage(
  reader: Reader,
  { appId, userIds, event, since, until }: AuditFilter,
  position: AuditPosition | undefined,
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
  if (position) {
    const { at, id } = position
    query = query.where((row) =>
      row.or([row('created_at', '<', at), row.and([row('created_at', '=', at), row('id', '<', id)])]),
    )
  }
  return query.execute()
}

export async function hasAuditEntries(
  reader: Reader,
  userId: string,
  appId: string | undefined,
): Promise<boolean> {
  let query = reader.selectFrom('audit_log').select('id').where('user_id', '=', userId).limit(1)
  if (appId !== undefined) query = query.where('app_id', '=', appId)
  return (await query.executeTakeFirst()) !== undefined
}

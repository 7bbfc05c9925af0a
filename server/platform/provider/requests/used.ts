/** That an app used a wallet: where the user sees it, and for whoever looks into it later. */

import * as v from 'valibot'
import { recordAudit } from '../../../identity/audit/audit.ts'
import type { ServerContext } from '../../../kernel/context.ts'
import { nowSeconds, type Trx } from '../../../kernel/ports.ts'
import type { RequestRow } from './tables.ts'
import { whoAsks } from './who-asks.ts'

const requesterSchema = v.object({
  name: v.string(),
  origin: v.string(),
  windowOrigins: v.array(v.string()),
})
export const requesterOf = ({ requester }: Pick<RequestRow, 'requester'>) =>
  v.parse(requesterSchema, JSON.parse(requester))

export async function noteAnswered(trx: Trx, context: ServerContext, row: RequestRow): Promise<void> {
  await whoAsks.get(context.ports).noteUse(trx, row.connection_id, nowSeconds(context.clock))
  await audit(trx, context, row, 'connected_app.used')
}

export const noteDeclined = (trx: Trx, context: ServerContext, row: RequestRow): Promise<void> =>
  audit(trx, context, row, 'connected_app.declined')

async function audit(
  trx: Trx,
  { clock }: ServerContext,
  row: RequestRow,
  event: 'connected_app.used' | 'connected_app.declined',
): Promise<void> {
  const { name, origin } = requesterOf(row)
  await recordAudit(trx, clock, {
    event,
    appId: row.app_id,
    userId: row.user_id,
    sessionId: row.session_id,
    details: { app: name, origin, client_id: row.client_id, connection: row.connection_id, kind: row.kind },
  })
}

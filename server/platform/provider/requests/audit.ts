/** Records the use of a wallet by an app, for the user's activity and the audit log. */

import * as v from 'valibot'
import { recordAudit } from '../../../identity/audit/audit.ts'
import type { ServerContext } from '../../../kernel/context.ts'
import { nowSeconds, type Trx } from '../../../kernel/ports.ts'
import { connectedAppsPort } from './connected-apps.ts'
import type { RequestRow } from './tables.ts'

const requesterSchema = v.object({
  name: v.string(),
  origin: v.string(),
  windowOrigins: v.array(v.string()),
})
export const parseRequester = ({ requester }: Pick<RequestRow, 'requester'>) =>
  v.parse(requesterSchema, JSON.parse(requester))

export async function noteAnswered(trx: Trx, context: ServerContext, row: RequestRow): Promise<void> {
  await connectedAppsPort.get(context.ports).noteUse(trx, row.connection_id, nowSeconds(context.clock))
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
  const { name, origin } = parseRequester(row)
  await recordAudit(trx, clock, {
    event,
    appId: row.app_id,
    userId: row.user_id,
    sessionId: row.session_id,
    details: { app: name, origin, client_id: row.client_id, connection: row.connection_id, kind: row.kind },
  })
}

/**
 * What users allowed: one connection a user and client. Allowing again says it anew, and all that the client has goes by
 * what was said last; ending takes every token of it.
 */
import { type CrossAppScope, crossAppScopes } from '@latchkey/protocol'
import { recordAudit } from '../../identity/audit/audit.ts'
import { randomId } from '../../kernel/ids.ts'
import { type Clock, nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import { removeOfClient } from './openid/records.ts'
import { type Requester, requesterOf } from './requesters.ts'
import { type ConnectedAppRow, providerTables } from './tables.ts'

export type Terms = {
  scopes: readonly CrossAppScope[]
  /** The one wallet that it is for. */
  address: string
  /** What it may ask to have sent in a day; null where nothing is sent. */
  dailyUsd: number | null
}
/** An app that a user connected, as its operator registered it; it lives until somebody ends it. */
export type Connection = Terms & {
  id: string
  appId: string
  userId: string
  clientId: string
  requester: Requester
}
export type Party = { appId: string; userId: string; clientId: string }

export const scopesIn = (text: string): readonly CrossAppScope[] => {
  const named = new Set(text.split(' '))
  return crossAppScopes.filter((scope) => named.has(scope))
}

const termsIn = ({ scopes, address, daily_usd: dailyUsd }: ConnectedAppRow): Terms => ({
  scopes: scopesIn(scopes),
  address,
  dailyUsd,
})

export const livingRow = (reader: Reader, { appId, userId, clientId }: Party) =>
  providerTables(reader)
    .selectFrom('connected_apps')
    .selectAll()
    .where('user_id', '=', userId)
    .where('client_id', '=', clientId)
    .where('app_id', '=', appId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()

/** Undefined where the client is not registered any more. */
export async function connectionIn(reader: Reader, row: ConnectedAppRow): Promise<Connection | undefined> {
  const { id, app_id: appId, user_id: userId, client_id: clientId } = row
  const requester = await requesterOf(reader, { appId, clientId })
  if (!requester) return undefined
  const { name, origin, windowOrigins } = requester
  return { id, appId, userId, clientId, ...termsIn(row), requester: { name, origin, windowOrigins } }
}

export const livingConnections = (
  reader: Reader,
  { appId, ...of }: { appId: string; userId?: string; clientId?: string },
): Promise<ConnectedAppRow[]> => {
  let rows = providerTables(reader)
    .selectFrom('connected_apps')
    .selectAll()
    .where('app_id', '=', appId)
    .where('ended_at', 'is', null)
  if (of.userId !== undefined) rows = rows.where('user_id', '=', of.userId)
  if (of.clientId !== undefined) rows = rows.where('client_id', '=', of.clientId)
  return rows.orderBy('created_at').orderBy('id').execute()
}

/** True where it is more than was allowed before: then its user is told. */
export async function allow(
  trx: Trx,
  clock: Clock,
  { appId, userId, clientId, sessionId }: Party & { sessionId: string },
  { scopes, address, dailyUsd }: Terms,
): Promise<boolean> {
  const before = await livingRow(trx, { appId, userId, clientId })
  const now = nowSeconds(clock)
  const said = { scopes: scopes.join(' '), address, daily_usd: dailyUsd, created_at: now }
  await providerTables(trx)
    .insertInto('connected_apps')
    .values({
      id: `cap_${randomId()}`,
      app_id: appId,
      user_id: userId,
      client_id: clientId,
      ...said,
      last_used_at: null,
      ended_at: null,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'client_id', 'app_id']).where('ended_at', 'is', null).doUpdateSet(said),
    )
    .execute()
  await recordAudit(trx, clock, {
    event: 'connected_app.allowed',
    appId,
    userId,
    sessionId,
    details: {
      client: clientId,
      app: await nameOf(trx, appId, clientId),
      scopes: said.scopes,
      daily_usd: dailyUsd,
    },
  })
  return before === undefined || isMore(termsIn(before), { scopes, address, dailyUsd })
}

/** The name that the user reads in their activity, whatever becomes of the client. */
const nameOf = async (reader: Reader, appId: string, clientId: string) =>
  (await requesterOf(reader, { appId, clientId }))?.name ?? null

const isMore = (before: Terms, after: Terms) =>
  after.address !== before.address ||
  after.scopes.some((scope) => !before.scopes.includes(scope)) ||
  (after.dailyUsd ?? 0) > (before.dailyUsd ?? 0)

/** Ends the connection and deletes every token of it. */
export async function endConnection(
  trx: Trx,
  clock: Clock,
  { id, app_id: appId, user_id: userId, client_id: clientId }: ConnectedAppRow,
  by: { sessionId: string } | 'operator',
): Promise<void> {
  await providerTables(trx)
    .updateTable('connected_apps')
    .set({ ended_at: nowSeconds(clock) })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .execute()
  await removeOfClient(trx, { appId, clientId, userId })
  await recordAudit(trx, clock, {
    event: 'connected_app.ended',
    appId,
    userId,
    sessionId: by === 'operator' ? null : by.sessionId,
    details: {
      client: clientId,
      app: await nameOf(trx, appId, clientId),
      by: by === 'operator' ? 'operator' : 'user',
    },
  })
}

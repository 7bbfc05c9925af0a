/**
 * Stores the connections that users allowed, one per user and client. Allowing again replaces the terms, which apply to
 * all tokens of the client. Ending a connection deletes its tokens.
 */
import { type CrossAppScope, crossAppScopes } from '@latchkey/protocol/api'
import { recordAudit } from '../../identity/audit/audit.ts'
import { randomId } from '../../kernel/ids.ts'
import { type Clock, nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import { removeOfClient } from './openid/records.ts'
import { type ClientName, findRequester, type Requester, removeRequester } from './requesters.ts'
import { type ConnectedAppRow, providerTables } from './tables.ts'

export type Terms = {
  scopes: readonly CrossAppScope[]
  /** The connected wallet. */
  address: string
  /** The daily limit for sending, or null without the send scope. */
  dailyUsd: number | null
}
/** An active connection between a user and a registered app. */
export type Connection = Terms & {
  id: string
  appId: string
  userId: string
  clientId: string
  requester: Requester
}
export type Party = { appId: string; userId: string; clientId: string }

export const parseScopes = (text: string): readonly CrossAppScope[] => {
  const names = new Set(text.split(' '))
  return crossAppScopes.filter((scope) => names.has(scope))
}

const toTerms = ({ scopes, address, daily_usd: dailyUsd }: ConnectedAppRow): Terms => ({
  scopes: parseScopes(scopes),
  address,
  dailyUsd,
})

export const findActiveRow = (reader: Reader, { appId, userId, clientId }: Party) =>
  providerTables(reader)
    .selectFrom('connected_apps')
    .selectAll()
    .where('user_id', '=', userId)
    .where('client_id', '=', clientId)
    .where('app_id', '=', appId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()

/** Converts a row to a connection. Returns undefined if the client is no longer registered. */
export async function toConnection(reader: Reader, row: ConnectedAppRow): Promise<Connection | undefined> {
  const { id, app_id: appId, user_id: userId, client_id: clientId } = row
  const requester = await findRequester(reader, { appId, clientId })
  if (!requester) return undefined
  const { name, origin, windowOrigins } = requester
  return { id, appId, userId, clientId, ...toTerms(row), requester: { name, origin, windowOrigins } }
}

export const findActiveConnections = (
  reader: Reader,
  { appId, ...filter }: { appId: string; userId?: string; clientId?: string },
): Promise<ConnectedAppRow[]> => {
  let rows = providerTables(reader)
    .selectFrom('connected_apps')
    .selectAll()
    .where('app_id', '=', appId)
    .where('ended_at', 'is', null)
  if (filter.userId !== undefined) rows = rows.where('user_id', '=', filter.userId)
  if (filter.clientId !== undefined) rows = rows.where('client_id', '=', filter.clientId)
  return rows.orderBy('created_at').orderBy('id').execute()
}

/** Stores the connection. Returns whether it allows more than before, so that the user must be notified. */
export async function allow(
  trx: Trx,
  clock: Clock,
  { appId, userId, clientId, sessionId }: Party & { sessionId: string },
  { scopes, address, dailyUsd }: Terms,
): Promise<boolean> {
  const previous = await findActiveRow(trx, { appId, userId, clientId })
  const now = nowSeconds(clock)
  const columns = { scopes: scopes.join(' '), address, daily_usd: dailyUsd, created_at: now }
  await providerTables(trx)
    .insertInto('connected_apps')
    .values({
      id: `cap_${randomId()}`,
      app_id: appId,
      user_id: userId,
      client_id: clientId,
      ...columns,
      last_used_at: null,
      ended_at: null,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'client_id', 'app_id']).where('ended_at', 'is', null).doUpdateSet(columns),
    )
    .execute()
  await recordAudit(trx, clock, {
    event: 'connected_app.allowed',
    appId,
    userId,
    sessionId,
    details: {
      client: clientId,
      app: await getClientName(trx, appId, clientId),
      scopes: columns.scopes,
      daily_usd: dailyUsd,
    },
  })
  return previous === undefined || isMore(toTerms(previous), { scopes, address, dailyUsd })
}

/** Returns the client's name for the activity, which outlives the registration. */
const getClientName = async (reader: Reader, appId: string, clientId: string) =>
  (await findRequester(reader, { appId, clientId }))?.name ?? null

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
      app: await getClientName(trx, appId, clientId),
      by: by === 'operator' ? 'operator' : 'user',
    },
  })
}

/** Removes a requester and its connections. Returns how many connections ended, or undefined if it is unknown. */
export async function removeRequesterWithConnections(
  trx: Trx,
  clock: Clock,
  client: ClientName,
): Promise<number | undefined> {
  // Ends the connections first, because the activity needs the requester's name.
  const connections = await findActiveConnections(trx, client)
  for (const row of connections) await endConnection(trx, clock, row, 'operator')
  return (await removeRequester(trx, client)) ? connections.length : undefined
}

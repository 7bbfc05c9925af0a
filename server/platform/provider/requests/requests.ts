/**
 * What an app asks of a connected wallet, from the call that asks to the one that hears what came of it.
 *
 *     open ─▶ read, by one page ─┬─▶ completed, failed
 *                                └─▶ sending ─▶ completed, failed        a transaction: answer.ts
 *
 * A request is known by a handle, of which the table has the hash, and is over after two minutes.
 */
import { type CreatedCrossAppRequest, type CrossAppResult, crossAppLimits } from '@latchkey/protocol/api'
import type { App } from '../../../identity/apps/apps.ts'
import { lockUser } from '../../../identity/users/users.ts'
import type { ServerContext } from '../../../kernel/context.ts'
import type { Wait } from '../../../kernel/http/waits.ts'
import { withPepperRetry } from '../../../kernel/keys/keys.ts'
import { askLimits } from '../../../kernel/limits.ts'
import { nowSeconds } from '../../../kernel/ports.ts'
import { seal, unseal } from '../../../login/window/window.ts'
import type { Access } from '../access.ts'
import { readAsked, requireAllowed, type Signable, signableOf } from './asked.ts'
import { idOf, newHandle, sealedParts } from './handle.ts'
import { refusal } from './refusals.ts'
import { finishSending, isAbandoned } from './sending.ts'
import * as store from './store.ts'
import type { RequestRow } from './tables.ts'
import { whoAsks } from './who-asks.ts'

export async function createRequest(
  context: ServerContext,
  app: App,
  access: Access,
  text: string,
  gone: AbortSignal,
): Promise<CreatedCrossAppRequest> {
  const asked = readAsked(text)
  requireAllowed(access, asked)
  const { db, clock, config } = context
  // What there is no room for costs nothing more.
  requireRoom(await store.openOf(db, access.connectionId, nowSeconds(clock)))
  const inTime = AbortSignal.any([gone, AbortSignal.timeout(askLimits.deadlineMs)])
  const signable = await signableOf(context, app, access, asked, inTime)
  const handle = newHandle()
  const id = idOf(handle)
  await context.transaction(async (trx) => {
    const now = nowSeconds(clock)
    // Of many that come at once each sees the ones before it.
    await lockUser(trx, access)
    const connection = await whoAsks.get(context.ports).connectionOf(trx, access)
    if (connection?.address !== access.address) throw refusal('invalid_token', 'The connection was ended')
    const open = await store.openOf(trx, access.connectionId, now)
    requireRoom(open)
    if (signable.kind === 'transaction') {
      const before = open.cents + (await store.spentBy(trx, access.connectionId, now))
      requireWithin(connection.dailyUsd ?? 0, before, signable.cents)
    }
    await store.insertRequest(trx, {
      id,
      app_id: app.id,
      user_id: access.userId,
      connection_id: access.connectionId,
      client_id: access.clientId,
      requester: JSON.stringify(access.requester),
      address: access.address,
      kind: signable.kind,
      request: seal(context, id, sealedParts.request, JSON.stringify(signable.request)),
      cents: signable.cents,
      state: 'open',
      session_id: null,
      result: null,
      error: null,
      sent_at: null,
      expires_at: now + crossAppLimits.requestSeconds,
    })
  })
  return {
    handle,
    transact_url: `${app.config.customApiUrl ?? config.dialogOrigin}/oauth/transact/${app.id}`,
    window_origin: config.walletOrigin,
    expires_in: crossAppLimits.requestSeconds,
  }
}

function requireRoom({ count }: { count: number }): void {
  if (count < crossAppLimits.maxOpenRequests) return
  throw refusal('too_many_requests', 'Other requests of this app are waiting for their user')
}

function requireWithin(dailyUsd: number, before: number, cents: Signable['cents']): void {
  if (cents === null) {
    throw refusal(
      'daily_limit_exceeded',
      'What this moves can not be priced, and the user set an amount a day',
    )
  }
  if (before + cents > dailyUsd * 100) {
    throw refusal('daily_limit_exceeded', 'This is more than the user allows this app in a day')
  }
}

/** Held open until there is something to say. For whoever made the request, and nobody else. */
export async function resultOf(
  context: ServerContext,
  app: App,
  { connectionId, clientId }: Pick<Access, 'connectionId' | 'clientId'>,
  handle: string,
  wait: Wait,
): Promise<CrossAppResult> {
  const id = idOf(handle)
  const look = async () => {
    const row = await store.findRequest(context.db, { id, appId: app.id })
    if (row?.connection_id !== connectionId || row.client_id !== clientId) {
      throw refusal('invalid_request', 'The request was not found')
    }
    if (isAbandoned(row, nowSeconds(context.clock))) await finishSending(context, app, row)
    return withPepperRetry(context.keyring, async () => resultIn(context, row))
  }
  const found = await wait.until(`cross-app-result|${id}`, crossAppLimits.resultWaitMs, look)
  return found ?? { status: 'pending' }
}

/** Undefined while nobody knows. */
function resultIn(context: ServerContext, row: RequestRow): CrossAppResult | undefined {
  switch (row.state) {
    case 'completed':
      return { status: 'completed', result: unseal(context, row.id, sealedParts.result, row.result ?? '') }
    case 'failed':
      return { status: 'failed', error: row.error ?? 'failed' }
    case 'open':
    case 'read':
      return row.expires_at > nowSeconds(context.clock) ? undefined : { status: 'failed', error: 'timeout' }
    // The chain has it, or not: its user has done their part.
    case 'sending':
      return undefined
    default:
      return row.state satisfies never
  }
}

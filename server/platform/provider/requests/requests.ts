/**
 * Creates cross-app requests and returns their results.
 *
 *     open ─▶ read by one page ──┬─▶ completed, failed
 *                                └─▶ sending ─▶ completed, failed        a transaction: answer.ts
 *
 * A handle identifies a request. The table stores only its hash. A request expires after two minutes.
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
import { connectedAppsPort } from './connected-apps.ts'
import { hashHandle, newHandle, sealedParts } from './handle.ts'
import { refusal } from './refusals.ts'
import { finishSending, isAbandoned } from './sending.ts'
import { readAsked, requireAllowed, type Signable, toSignable } from './signable.ts'
import * as store from './store.ts'
import type { RequestRow } from './tables.ts'

export async function createRequest(
  context: ServerContext,
  app: App,
  access: Access,
  text: string,
  abortSignal: AbortSignal,
): Promise<CreatedCrossAppRequest> {
  const request = readAsked(text)
  requireAllowed(access, request)
  const { db, clock, config } = context
  // Checks the limit before the expensive steps.
  requireRoom(await store.getOpenUsage(db, access.connectionId, nowSeconds(clock)))
  const inTime = AbortSignal.any([abortSignal, AbortSignal.timeout(askLimits.deadlineMs)])
  const signable = await toSignable(context, app, access, request, inTime)
  const handle = newHandle()
  const id = hashHandle(handle)
  await context.transaction(async (trx) => {
    const now = nowSeconds(clock)
    // Serializes concurrent calls, so that each one sees the rows of the earlier ones.
    await lockUser(trx, access)
    const connection = await connectedAppsPort.get(context.ports).findConnection(trx, access)
    if (connection?.address !== access.address) throw refusal('invalid_token', 'The connection was ended')
    const open = await store.getOpenUsage(trx, access.connectionId, now)
    requireRoom(open)
    if (signable.kind === 'transaction') {
      const spentCents = open.cents + (await store.spentBy(trx, access.connectionId, now))
      requireWithin(connection.dailyUsd ?? 0, spentCents, signable.cents)
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
  throw refusal('too_many_requests', 'Too many requests of this app are waiting for the user')
}

function requireWithin(dailyUsd: number, spentCents: number, cents: Signable['cents']): void {
  if (cents === null) {
    throw refusal('daily_limit_exceeded', 'The value cannot be determined, and the user set a daily limit')
  }
  if (spentCents + cents > dailyUsd * 100) {
    throw refusal('daily_limit_exceeded', 'This exceeds the daily limit that the user set for this app')
  }
}

/** Long-polls for the result. Only the requester that created the request can read it. */
export async function waitForResult(
  context: ServerContext,
  app: App,
  { connectionId, clientId }: Pick<Access, 'connectionId' | 'clientId'>,
  handle: string,
  wait: Wait,
): Promise<CrossAppResult> {
  const id = hashHandle(handle)
  const readResult = async () => {
    const row = await store.findRequest(context.db, { id, appId: app.id })
    if (row?.connection_id !== connectionId || row.client_id !== clientId) {
      throw refusal('invalid_request', 'The request was not found')
    }
    if (isAbandoned(row, nowSeconds(context.clock))) await finishSending(context, app, row)
    return withPepperRetry(context.keyring, async () => resultIn(context, row))
  }
  const result = await wait.until(`cross-app-result|${id}`, crossAppLimits.resultWaitMs, readResult)
  return result ?? { status: 'pending' }
}

/** Returns the result, or undefined while it is pending. */
function resultIn(context: ServerContext, row: RequestRow): CrossAppResult | undefined {
  switch (row.state) {
    case 'completed':
      return { status: 'completed', result: unseal(context, row.id, sealedParts.result, row.result ?? '') }
    case 'failed':
      return { status: 'failed', error: row.error ?? 'failed' }
    case 'open':
    case 'read':
      return row.expires_at > nowSeconds(context.clock) ? undefined : { status: 'failed', error: 'timeout' }
    // The user has signed, and the chain's response is pending.
    case 'sending':
      return undefined
    default:
      return row.state satisfies never
  }
}

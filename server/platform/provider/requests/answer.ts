/** The API of the wallet page: reads a request and submits the user's response. */
import { LatchkeyError } from '@latchkey/protocol'
import type { providerRoutes, RouteBody, RouteOutput } from '@latchkey/protocol/api'
import { type SignableRequest, signableRequestSchema } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import type { App } from '../../../identity/apps/apps.ts'
import type { DialogToken, ServerContext } from '../../../kernel/context.ts'
import { withPepperRetry } from '../../../kernel/keys/keys.ts'
import { nowSeconds, type Reader, type Trx } from '../../../kernel/ports.ts'
import { seal, unseal } from '../../../login/window/window.ts'
import { assertCalledByWalletPage } from '../authorizations.ts'
import { noteAnswered, noteDeclined, parseRequester } from './audit.ts'
import { connectedAppsPort } from './connected-apps.ts'
import { hashHandle, sealedParts } from './handle.ts'
import { crossAppServerLimits } from './limits.ts'
import { type Sent, send, settleSent } from './sending.ts'
import * as store from './store.ts'
import type { RequestRow } from './tables.ts'

const notThere = () => new LatchkeyError('not_found', 'The request was not found or has expired')
const alreadyUsed = () => new LatchkeyError('token_already_used', 'This request was opened on another page')

/** Returns the request if it belongs to the user and the connection for this wallet is active. */
async function requireRequest(
  reader: Reader,
  context: ServerContext,
  { appId, userId }: DialogToken,
  id: string,
): Promise<RequestRow> {
  const row = await store.findRequest(reader, { id, appId })
  if (row?.user_id !== userId) throw notThere()
  const key = { appId, userId, connectionId: row.connection_id }
  const connection = await connectedAppsPort.get(context.ports).findConnection(reader, key)
  if (connection?.address !== row.address) throw notThere()
  return row
}

const isOver = (row: RequestRow, now: number) =>
  (row.state === 'open' || row.state === 'read') && row.expires_at <= now

const signableIn = (context: ServerContext, { id, request }: RequestRow): Promise<SignableRequest> =>
  withPepperRetry(context.keyring, async () =>
    v.parse(signableRequestSchema, JSON.parse(unseal(context, id, sealedParts.request, request))),
  )

export async function readForPage(
  context: ServerContext,
  caller: DialogToken,
  handle: string,
): Promise<RouteOutput<typeof providerRoutes.readCrossAppRequest>> {
  assertCalledByWalletPage(caller)
  const { db, clock } = context
  const { sessionId } = caller
  const id = hashHandle(handle)
  await requireRequest(db, context, caller, id)
  await store.bindRequest(db, { id, sessionId }, nowSeconds(clock))
  const row = await requireRequest(db, context, caller, id)
  const now = nowSeconds(clock)
  if (isOver(row, now)) throw notThere()
  if (row.state !== 'read' || row.session_id !== sessionId) throw alreadyUsed()
  const { name, origin, windowOrigins } = parseRequester(row)
  return {
    requester: { name, origin },
    address: row.address,
    request: await signableIn(context, row),
    openerOrigins: windowOrigins,
    expiresInSeconds: row.expires_at - now,
  }
}

type Answer = RouteBody<typeof providerRoutes.answerCrossAppRequest>['answer']

/** Throws unless this page may answer the request. The deciding statements check again. */
export async function requireAnswerable(
  trx: Trx,
  context: ServerContext,
  caller: DialogToken,
  handle: string,
): Promise<{ id: string }> {
  assertCalledByWalletPage(caller)
  const row = await requireRequest(trx, context, caller, hashHandle(handle))
  // The answering page must have read the request first.
  if (row.state === 'open') throw notThere()
  const isOwn = row.session_id === caller.sessionId
  if (!isOwn || row.state === 'completed' || row.state === 'failed') throw alreadyUsed()
  return { id: row.id }
}

export type Looked =
  | { type: 'declined'; error: 'rejected' | 'failed' }
  | { type: 'signed'; data: string }
  | { type: 'late' }
  | Exclude<Sent, { type: 'unreachable' }>

/** Verifies the response and sends a transaction, outside a database transaction. Repeatable. */
export async function lookAt(
  context: ServerContext,
  app: App,
  caller: DialogToken,
  id: string,
  answer: Answer,
  signal: AbortSignal,
): Promise<Looked> {
  if (answer.type !== 'signed') return { type: 'declined', error: answer.type }
  const row = await requireRequest(context.db, context, caller, id)
  if (isOver(row, nowSeconds(context.clock))) return { type: 'late' }
  const { assertSigned, namedBySigned } = await import('./verify.ts')
  await assertSigned({ request: await signableIn(context, row), address: row.address, data: answer.data })
  if (row.kind !== 'transaction') return { type: 'signed', data: answer.data }
  const signedTransaction = namedBySigned(answer.data)
  const began = await beginSending(context, caller, id, signedTransaction.signed)
  if (began === 'late') return { type: 'late' }
  const sent = await send(app, signedTransaction, signal)
  if (sent.type === 'unreachable') {
    throw new LatchkeyError('unavailable', 'The chain gave no answer. Please try again.')
  }
  return sent
}

/** Stores the signed transaction and counts the spending. From here it is sent until the chain accepts or refuses it. */
async function beginSending(
  context: ServerContext,
  caller: DialogToken,
  id: string,
  signed: string,
): Promise<'began' | 'late'> {
  const { sessionId } = caller
  return context.transaction(async (trx) => {
    const now = nowSeconds(context.clock)
    const sealed = seal(context, id, sealedParts.result, signed)
    const began = await store.beginSending(trx, { id, sessionId, signed: sealed }, now)
    if (began !== undefined) {
      const { cents } = began
      const expiresAt = now + crossAppServerLimits.spendingSeconds
      if (cents !== null) await store.countSpending(trx, began, { cents, expiresAt })
      return 'began'
    }
    const row = await requireRequest(trx, context, caller, id)
    if (isOver(row, now)) return 'late'
    // A retry after a lost response.
    const isAgain =
      row.state === 'sending' && unseal(context, id, sealedParts.result, row.result ?? '') === signed
    if (row.session_id !== sessionId || !isAgain) throw alreadyUsed()
    return 'began'
  })
}

export type Answered =
  | { status: 'completed'; result: string }
  | { status: 'failed'; error: 'rejected' | 'timeout' | 'failed' }
  | { status: 'refused'; why: string }

/** The outcome contains no signature, because each repeated call sends it again. */
export type Outcome =
  | { status: 'completed'; hash: string | null }
  | Exclude<Answered, { status: 'completed' }>

export async function decideAnswer(
  trx: Trx,
  context: ServerContext,
  caller: DialogToken,
  id: string,
  looked: Looked,
): Promise<Outcome> {
  const now = nowSeconds(context.clock)
  const fromPage = { id, from: 'read', sessionId: caller.sessionId, nowSeconds: now } as const
  switch (looked.type) {
    case 'late':
      return { status: 'failed', error: 'timeout' }
    case 'declined': {
      const { error } = looked
      const row = await store.settleRequest(trx, { ...fromPage, state: 'failed', result: null, error })
      if (row === undefined) return lateOrUsed(trx, context, caller, id)
      await noteDeclined(trx, context, row)
      return { status: 'failed', error }
    }
    case 'signed': {
      const result = seal(context, id, sealedParts.result, looked.data)
      const row = await store.settleRequest(trx, { ...fromPage, state: 'completed', result, error: null })
      if (row === undefined) return lateOrUsed(trx, context, caller, id)
      await noteAnswered(trx, context, row)
      return { status: 'completed', hash: null }
    }
    case 'sent':
    case 'refused': {
      const row = await settleSent(trx, context, id, looked)
      // The requester's poll may have finished the sending meanwhile.
      const state = row?.state ?? (await requireRequest(trx, context, caller, id)).state
      if (looked.type === 'refused') return { status: 'refused', why: looked.why }
      return state === 'completed'
        ? { status: 'completed', hash: looked.hash }
        : { status: 'failed', error: 'failed' }
    }
    default:
      return looked satisfies never
  }
}

async function lateOrUsed(
  trx: Trx,
  context: ServerContext,
  caller: DialogToken,
  id: string,
): Promise<Outcome> {
  const row = await requireRequest(trx, context, caller, id)
  if (isOver(row, nowSeconds(context.clock))) return { status: 'failed', error: 'timeout' }
  throw alreadyUsed()
}

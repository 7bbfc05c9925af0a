/**
 * Sends signed transactions. The transaction is stored first. Sending the same bytes again is harmless, so another
 * process can take over an abandoned transaction.
 */
import type { App } from '../../../identity/apps/apps.ts'
import { callNode } from '../../../integrations/chains/chains.ts'
import type { ServerContext } from '../../../kernel/context.ts'
import { withPepperRetry } from '../../../kernel/keys/keys.ts'
import { askLimits } from '../../../kernel/limits.ts'
import { nowSeconds, type Trx } from '../../../kernel/ports.ts'
import { seal, unseal } from '../../../login/window/window.ts'
import { noteAnswered } from './audit.ts'
import { sealedParts } from './handle.ts'
import { crossAppServerLimits } from './limits.ts'
import { describable } from './refusals.ts'
import * as store from './store.ts'
import type { RequestRow } from './tables.ts'

export type Sent =
  | { type: 'sent'; hash: string }
  /** Every node refused it, and none has it. */
  | { type: 'refused'; why: string }
  | { type: 'unreachable' }

const alreadyKnown = /already known|known transaction|already imported|already exists|already in mempool/i

export async function send(
  { config }: Pick<App, 'config'>,
  { chainId, hash, signed }: { chainId: string; hash: string; signed: string },
  signal: AbortSignal,
): Promise<Sent> {
  let refused: string | undefined
  for (const url of config.rpcUrls[chainId] ?? []) {
    const node = { chainId, url }
    try {
      const response = await callNode(node, { method: 'eth_sendRawTransaction', params: [signed] }, signal)
      if (!('error' in response) || alreadyKnown.test(response.error.message)) return { type: 'sent', hash }
      // A transaction sent earlier may already be mined, so its nonce is used.
      const lookup = await callNode(node, { method: 'eth_getTransactionByHash', params: [hash] }, signal)
      if ('result' in lookup && lookup.result !== null) return { type: 'sent', hash }
      refused = describable(response.error.message)
    } catch {
      // The node may have received it, so another node's refusal would prove nothing.
      return { type: 'unreachable' }
    }
  }
  return refused === undefined ? { type: 'unreachable' } : { type: 'refused', why: refused }
}

/** Runs in the transaction that records the outcome. */
export async function settleSent(
  trx: Trx,
  context: ServerContext,
  id: string,
  sent: Exclude<Sent, { type: 'unreachable' }>,
): Promise<RequestRow | undefined> {
  if (sent.type === 'refused') {
    const row = await store.settleRequest(trx, {
      id,
      from: 'sending',
      state: 'failed',
      result: null,
      error: 'failed',
    })
    if (row !== undefined) await store.giveBackSpending(trx, id)
    return row
  }
  const result = seal(context, id, sealedParts.result, sent.hash)
  const row = await store.settleRequest(trx, { id, from: 'sending', state: 'completed', result, error: null })
  if (row !== undefined) await noteAnswered(trx, context, row)
  return row
}

/** Whether the sending process must have received a response or died. */
export const isAbandoned = ({ state, sent_at: sentAt }: RequestRow, now: number): boolean =>
  state === 'sending' && sentAt !== null && sentAt + crossAppServerLimits.abandonedSeconds <= now

/** Sends an abandoned transaction again on behalf of the caller that polls for the result. */
export async function finishSending(context: ServerContext, app: App, row: RequestRow): Promise<void> {
  const { db, keyring, clock } = context
  if (row.result === null || !(await store.takeOverSending(db, row, nowSeconds(clock)))) return
  const { result } = row
  const signed = await withPepperRetry(keyring, async () =>
    unseal(context, row.id, sealedParts.result, result),
  )
  const { namedBySigned } = await import('./verify.ts')
  const sent = await send(app, namedBySigned(signed), AbortSignal.timeout(askLimits.deadlineMs))
  if (sent.type === 'unreachable') return
  await context.transaction((trx) => settleSent(trx, context, row.id, sent))
}

/**
 * A transaction that its user signed goes to its chain. It is written down first; to send the same bytes again does no
 * harm, so whoever finds that nobody does any more goes on with it.
 */
import type { App } from '../../../identity/apps/apps.ts'
import { callNode } from '../../../integrations/chains/chains.ts'
import type { ServerContext } from '../../../kernel/context.ts'
import { withPepperRetry } from '../../../kernel/keys/keys.ts'
import { askLimits } from '../../../kernel/limits.ts'
import { nowSeconds, type Trx } from '../../../kernel/ports.ts'
import { seal, unseal } from '../../../login/window/window.ts'
import { sealedParts } from './handle.ts'
import { crossAppServerLimits } from './limits.ts'
import { describable } from './refusals.ts'
import * as store from './store.ts'
import type { RequestRow } from './tables.ts'
import { noteAnswered } from './used.ts'

export type Sent =
  | { type: 'sent'; hash: string }
  /** Every node said so, and none has it. */
  | { type: 'refused'; why: string }
  | { type: 'unreachable' }

const known = /already known|known transaction|already imported|already exists|already in mempool/i

export async function send(
  { config }: Pick<App, 'config'>,
  { chainId, hash, signed }: { chainId: string; hash: string; signed: string },
  signal: AbortSignal,
): Promise<Sent> {
  let refused: string | undefined
  for (const url of config.rpcUrls[chainId] ?? []) {
    const node = { chainId, url }
    try {
      const said = await callNode(node, { method: 'eth_sendRawTransaction', params: [signed] }, signal)
      if (!('error' in said) || known.test(said.error.message)) return { type: 'sent', hash }
      // Sent before, it may be in a block by now: then its number is used.
      const there = await callNode(node, { method: 'eth_getTransactionByHash', params: [hash] }, signal)
      if ('result' in there && there.result !== null) return { type: 'sent', hash }
      refused = describable(said.error.message)
    } catch {
      // It may have come there, whatever the next one says.
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

/** Whoever sends it has heard from its chain by then, or never will. */
export const isAbandoned = ({ state, sent_at: sentAt }: RequestRow, now: number): boolean =>
  state === 'sending' && sentAt !== null && sentAt + crossAppServerLimits.abandonedSeconds <= now

/** Sends it again for the caller that waits for the answer, because the process that sent it may have ended. */
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

/**
 * Follows one operation: sends its transaction, replaces one that no block takes, and returns the unused part of the
 * budgets from the receipt.
 */
import { noDelegate, readDelegate } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { toEventSelector } from 'viem/utils'
import { bytes, createNodeCaller, quantity, relays } from '../../integrations/relays/relays.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { nowSeconds } from '../../kernel/ports.ts'
import { getFeeCents } from '../confirm/confirm.ts'
import { sponsorServerLimits } from './limits.ts'
import { sponsoredOperations, sponsoredUsd } from './metrics.ts'
import * as store from './store.ts'
import type { OperationRow } from './tables.ts'
import { isDelegation, type Signed, signTransaction } from './transaction.ts'

const receiptSchema = v.object({
  transactionHash: v.string(),
  gasUsed: quantity,
  effectiveGasPrice: quantity,
  /** The data fee of a rollup. */
  l1Fee: v.nullish(quantity),
  logs: v.array(v.object({ topics: v.array(v.string()), data: v.string() })),
})
type Receipt = v.InferOutput<typeof receiptSchema>

export async function follow(context: ServerContext, row: OperationRow): Promise<void> {
  const { clock, db } = context
  const callNode = createNodeCaller(context, Number(row.chain_id))
  const sent = store.parseHashes(row)
  if (sent.length === 0) return broadcast(context, row)
  for (const hash of [...sent].reverse()) {
    const receipt = await callNode(v.nullable(receiptSchema), 'eth_getTransactionReceipt', hash)
    if (receipt) return settle(context, row, receipt)
  }
  const isLate = nowSeconds(clock) - row.sent_at >= sponsorServerLimits.replaceAfterSeconds
  if (!isLate) return void (await store.change(db, row.id, { due_at_ms: nextPollMs(context) }))
  const mined = await callNode(quantity, 'eth_getTransactionCount', row.relay, 'latest')
  // Another transaction of the relay's key has its nonce.
  if (Number(mined) > Number(row.relay_nonce)) return settle(context, row, undefined)
  await replace(context, row)
}

const nextPollMs = ({ clock }: Pick<ServerContext, 'clock'>) => clock.nowMs() + sponsorServerLimits.pollMs

/** Sends the transaction again with an eighth more fees, which also count against the budgets. */
async function replace(context: ServerContext, row: OperationRow): Promise<void> {
  const raise = (fee: string) => (BigInt(fee) * sponsorServerLimits.replacementPercent) / 1_000n + 1n
  const maxFee = raise(row.max_fee)
  const app = await context.apps.find(row.app_id)
  const fee = { chainId: row.chain_id, amount: BigInt(row.gas) * maxFee }
  const cents = app && (await getFeeCents(context, app, fee))
  const raised = {
    max_fee: String(maxFee),
    priority_fee: String(raise(row.priority_fee)),
    cents: cents ?? row.cents,
  }
  await store.change(context.db, row.id, raised)
  sponsoredOperations.add({ chain: row.chain_id, outcome: 'replaced' })
  await broadcast(context, { ...row, ...raised })
}

/** Signs the transaction and sends it to the node. Stores its hash first, so that no sent transaction is lost. */
export async function broadcast(context: ServerContext, row: OperationRow): Promise<void> {
  const chainId = Number(row.chain_id)
  const relay = relays.get(context.ports).get(chainId)
  if (relay === undefined) throw new Error(`SPONSORS has no relay for chain ${chainId} any more`)
  const signed: Signed = JSON.parse(row.signed)
  const { raw, hash } = await signTransaction(await relay.account(), signed, {
    nonce: Number(row.relay_nonce),
    gas: Number(row.gas),
    maxFee: BigInt(row.max_fee),
    priorityFee: BigInt(row.priority_fee),
  })
  const transactions = JSON.stringify([...new Set([...store.parseHashes(row), hash])])
  const sent = { transactions, sent_at: nowSeconds(context.clock), due_at_ms: nextPollMs(context) }
  await store.change(context.db, row.id, sent)
  await createNodeCaller(context, chainId)(v.string(), 'eth_sendRawTransaction', raw)
}

const operationEvent = toEventSelector(
  'UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)',
)
/** The second word of the event's data. */
const successOffset = 2 + 2 * 32

/** An authorization has no event, so the code of the wallet shows whether the network took it. */
async function getState(
  context: ServerContext,
  { id, chain_id: chainId, ...row }: OperationRow,
  receipt: Receipt | undefined,
): Promise<OperationRow['state']> {
  const signed: Signed = JSON.parse(row.signed)
  if (isDelegation(signed)) {
    const code = await createNodeCaller(context, Number(chainId))(
      bytes,
      'eth_getCode',
      signed.sender,
      'latest',
    )
    const isSet = (readDelegate(code) ?? noDelegate) === signed.delegation.delegate
    return receipt && isSet ? 'succeeded' : 'dropped'
  }
  const event = receipt?.logs.find(({ topics }) => topics[0] === operationEvent && topics[1] === id)
  if (event === undefined) return 'dropped'
  return BigInt(`0x${event.data.slice(successOffset, successOffset + 64)}`) === 1n ? 'succeeded' : 'reverted'
}

/** Stores the outcome and the paid fee. */
async function settle(
  context: ServerContext,
  row: OperationRow,
  receipt: Receipt | undefined,
): Promise<void> {
  const app = await context.apps.find(row.app_id)
  const amount = receipt ? receipt.gasUsed * receipt.effectiveGasPrice + (receipt.l1Fee ?? 0n) : 0n
  const cents =
    (app && (await getFeeCents(context, app, { chainId: row.chain_id, amount }))) ?? Number(row.cents)
  const state = await getState(context, row, receipt)
  const others = store.parseHashes(row).filter((hash) => hash !== receipt?.transactionHash)
  await store.change(context.db, row.id, {
    state,
    cents,
    signed: '',
    due_at_ms: null,
    settled_at: nowSeconds(context.clock),
    transactions: JSON.stringify(receipt ? [...others, receipt.transactionHash] : others),
  })
  sponsoredOperations.add({ chain: row.chain_id, outcome: state })
  sponsoredUsd.add({ chain: row.chain_id }, cents / 100)
}

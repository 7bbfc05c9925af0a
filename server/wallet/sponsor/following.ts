/**
 * Follows one operation: sends its transaction, replaces one that no block takes, and returns the unused part of the
 * budgets from the receipt.
 */
import { LatchkeyError, type SolanaCluster, solanaClusters } from '@latchkey/protocol'
import { noDelegate, readDelegate } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { toEventSelector } from 'viem/utils'
import { toChainId } from '../../integrations/chains/chains.ts'
import {
  bytes,
  createClusterCaller,
  createNodeCaller,
  type PaymasterServices,
  quantity,
  sponsors,
} from '../../integrations/relays/relays.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { nowSeconds } from '../../kernel/ports.ts'
import { getFeeCents } from '../confirm/confirm.ts'
import { sponsorServerLimits } from './limits.ts'
import { sponsoredOperations, sponsoredUsd } from './metrics.ts'
import { readPaidReceipt, sendToBundler } from './paymaster.ts'
import * as store from './store.ts'
import type { OperationRow } from './tables.ts'
import { isDelegation, isPaid, type Signed, type SignedOperation, signTransaction } from './transaction.ts'

const receiptSchema = v.object({
  transactionHash: v.string(),
  gasUsed: quantity,
  effectiveGasPrice: quantity,
  /** The data fee of a rollup. */
  l1Fee: v.nullish(quantity),
  logs: v.array(v.object({ topics: v.array(v.string()), data: v.string() })),
})
type Receipt = v.InferOutput<typeof receiptSchema>

/** The time of sending of an operation that no bundler has accepted. */
export const NOT_SENT = 0

export async function follow(context: ServerContext, row: OperationRow): Promise<void> {
  const { clock, db } = context
  const cluster = findCluster(row)
  if (cluster) return followSolana(context, row, cluster)
  const paid = getPaid(row)
  if (paid) return followPaid(context, row, paid)
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

const statusesAnswer = v.object({ value: v.tuple([v.nullable(v.object({ err: v.unknown() }))]) })

/** Follows a Solana transaction that the page of the user sends. It costs its fee also if it fails. */
async function followSolana(
  context: ServerContext,
  row: OperationRow,
  cluster: SolanaCluster,
): Promise<void> {
  const { apps, clock, db } = context
  const app = await apps.find(row.app_id)
  if (app === undefined) return
  const call = createClusterCaller(app, cluster)
  const options = { searchTransactionHistory: true }
  const [status] = (await call(statusesAnswer, 'getSignatureStatuses', [row.id], options)).value
  if (status) {
    const state = status.err === null ? 'succeeded' : 'reverted'
    return storeCents(context, row, { state, cents: Number(row.cents), transactions: [row.id] })
  }
  if (nowSeconds(clock) - row.created_at >= sponsorServerLimits.solanaSeconds)
    return storeCents(context, row, { state: 'expired', cents: 0, transactions: [row.id] })
  await store.change(db, row.id, { due_at_ms: nextPollMs(context) })
}

const balanceAnswer = v.object({ value: v.number() })

/** Returns the SOL of the payer of this transaction. */
export async function readSolanaBalance(
  { apps }: ServerContext,
  row: OperationRow,
  cluster: SolanaCluster,
): Promise<number | undefined> {
  const app = await apps.find(row.app_id)
  const balance = app && (await createClusterCaller(app, cluster)(balanceAnswer, 'getBalance', row.relay))
  return balance && balance.value / LAMPORTS_PER_SOL
}
const LAMPORTS_PER_SOL = 1e9

/** Returns the cluster of a Solana transaction. */
export const findCluster = ({ chain_id: chainId }: OperationRow): SolanaCluster | undefined =>
  solanaClusters.find((each) => chainId === toChainId(each))

/** Returns the operation if a paymaster pays for it. */
function getPaid({ signed: text }: OperationRow): SignedOperation | undefined {
  const signed: Signed = JSON.parse(text)
  return !isDelegation(signed) && isPaid(signed.operation) ? signed : undefined
}

function requireServices({ ports }: Pick<ServerContext, 'ports'>, chainId: number): PaymasterServices {
  const sponsor = sponsors.get(ports).chains.get(chainId)
  if (sponsor?.type === 'erc4337') return sponsor
  throw new Error(`SPONSORS has no paymaster for chain ${chainId} any more`)
}

/** Follows an operation that a bundler sends. It gives up when no bundler would include it any more. */
async function followPaid(context: ServerContext, row: OperationRow, signed: SignedOperation): Promise<void> {
  const { clock, db } = context
  const chainId = Number(row.chain_id)
  const receipt = await readPaidReceipt(requireServices(context, chainId), chainId, row.id)
  if (receipt) {
    const { success, actualGasCost, receipt: included } = receipt
    return storeOutcome(context, row, {
      state: success ? 'succeeded' : 'reverted',
      fee: actualGasCost,
      transactions: [included.transactionHash],
    })
  }
  if (nowSeconds(clock) - row.created_at >= sponsorServerLimits.bundlerSeconds)
    return storeOutcome(context, row, { state: 'dropped', fee: 0n, transactions: [] })
  if (Number(row.sent_at) === NOT_SENT) return resendPaid(context, row, signed)
  await store.change(db, row.id, { due_at_ms: nextPollMs(context) })
}

/** Sends the operation to the bundler for the first time. One that it rejects is dropped, and costs nothing. */
async function sendPaid(context: ServerContext, row: OperationRow, signed: SignedOperation): Promise<void> {
  const { clock, db } = context
  // Stored first. A second attempt after a crash could be rejected although the first one succeeded.
  await store.change(db, row.id, { sent_at: nowSeconds(clock), due_at_ms: nextPollMs(context) })
  try {
    await sendToBundler(requireServices(context, Number(row.chain_id)), signed, row.id)
  } catch (error) {
    if (isBundlerRejection(error))
      return storeOutcome(context, row, { state: 'dropped', fee: 0n, transactions: [] })
    await store.change(db, row.id, { sent_at: NOT_SENT })
    throw error
  }
}

/** Sends an operation again. The bundler may have it already, so a rejection is not final. */
async function resendPaid(context: ServerContext, row: OperationRow, signed: SignedOperation): Promise<void> {
  const { clock, db } = context
  await sendToBundler(requireServices(context, Number(row.chain_id)), signed, row.id).catch(
    (error: unknown) => {
      if (!isBundlerRejection(error)) throw error
    },
  )
  await store.change(db, row.id, { sent_at: nowSeconds(clock), due_at_ms: nextPollMs(context) })
}

const isBundlerRejection = (error: unknown) =>
  error instanceof LatchkeyError && error.code === 'transaction_failure'

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
  const paid = getPaid(row)
  if (paid) return Number(row.sent_at) === NOT_SENT ? sendPaid(context, row, paid) : undefined
  const relay = sponsors.get(context.ports).chains.get(chainId)
  if (relay?.type !== 'relay') throw new Error(`SPONSORS has no relay for chain ${chainId} any more`)
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
  const others = store.parseHashes(row).filter((hash) => hash !== receipt?.transactionHash)
  await storeOutcome(context, row, {
    state: await getState(context, row, receipt),
    fee: receipt ? receipt.gasUsed * receipt.effectiveGasPrice + (receipt.l1Fee ?? 0n) : 0n,
    transactions: receipt ? [...others, receipt.transactionHash] : others,
  })
}

type Outcome = { state: OperationRow['state']; fee: bigint; transactions: string[] }

async function storeOutcome(
  context: ServerContext,
  row: OperationRow,
  { state, fee: amount, transactions }: Outcome,
): Promise<void> {
  const app = await context.apps.find(row.app_id)
  const cents =
    (app && (await getFeeCents(context, app, { chainId: row.chain_id, amount }))) ?? Number(row.cents)
  await storeCents(context, row, { state, cents, transactions })
}

async function storeCents(
  context: ServerContext,
  row: OperationRow,
  { state, cents, transactions }: Omit<Outcome, 'fee'> & { cents: number },
): Promise<void> {
  await store.change(context.db, row.id, {
    state,
    cents,
    signed: '',
    due_at_ms: null,
    settled_at: nowSeconds(context.clock),
    transactions: JSON.stringify(transactions),
  })
  sponsoredOperations.add({ chain: row.chain_id, outcome: state })
  sponsoredUsd.add({ chain: row.chain_id }, cents / 100)
}

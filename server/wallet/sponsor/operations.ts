/**
 * Checks operations and changes of a delegate against the budgets, and sends them. `worker.ts` follows
 * them until they are in a block.
 */
import { isSameAddress, LatchkeyError } from '@latchkey/protocol'
import type { RouteBody, SponsoredOperation, sponsorRoutes } from '@latchkey/protocol/api'
import { delegatedCode } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import type { Hex } from 'viem'
import { recoverAddress } from 'viem/utils'
import { lockApp } from '../../identity/apps/apps.ts'
import {
  bytes,
  createNodeCaller,
  type NodeCaller,
  quantity,
  requireRelay,
  requireSponsored,
} from '../../integrations/relays/relays.ts'
import { tooManyRequests } from '../../kernel/attempts/attempts.ts'
import type { DialogToken, ServerContext } from '../../kernel/context.ts'
import { type App, nowSeconds, type Trx } from '../../kernel/ports.ts'
import { formatDollars } from '../confirm/confirm.ts'
import { consumeQuota, requireEligible, requireOtherDelegate } from './eligibility.ts'
import { CENTS, pricePaid, priceTransaction, requireWithin } from './fees.ts'
import { broadcast, NOT_SENT } from './following.ts'
import { sponsorServerLimits } from './limits.ts'
import { sponsoredOperations } from './metrics.ts'
import { toBatchCall } from './quotes.ts'
import * as store from './store.ts'
import type { OperationRow } from './tables.ts'
import {
  encodeCall,
  getChainId,
  getPaidGas,
  hashSigned,
  isDelegation,
  isPaid,
  type PaidOperation,
  type Signed,
  type SignedDelegation,
  type SignedOperation,
} from './transaction.ts'

type Send = RouteBody<typeof sponsorRoutes.sendOperation>
type SendDelegation = RouteBody<typeof sponsorRoutes.sendDelegation>

/** An operation that passed the checks on the chain, or the reason why it is not sent. */
export type Checked =
  /** The nonce is null unless a relay sends the operation. */
  | { type: 'ready'; row: OperationRow; relayNonceOfChain: number | null }
  | { type: 'failed'; row: OperationRow }
export type SentOperation = { id: string; isFailed: boolean }

export const reserveOperation = (trx: Trx, context: ServerContext, caller: DialogToken): Promise<void> =>
  consumeQuota(trx, context, caller, 'operations', sponsorServerLimits.operationsPerDay)

/** Verifies the signatures and simulates the operation. Changes nothing, so it may be repeated. */
export async function checkOperation(
  context: ServerContext,
  app: App,
  caller: DialogToken,
  { address, operation, signatures }: Send,
): Promise<Checked> {
  const { chainId, calls } = operation
  const wallet = await requireEligible(context, app, caller, { address, chainId, calls })
  const signed: SignedOperation = { sender: wallet.address, operation, signatures: signatures as Hex }
  return checkSigned(context, app, caller, signed)
}

/** Does the same for a change of the delegate. */
export async function checkDelegation(
  context: ServerContext,
  app: App,
  caller: DialogToken,
  { address, delegation, signature }: SendDelegation,
): Promise<Checked> {
  if (delegation.fees !== null) {
    throw new LatchkeyError('invalid_data', 'The wallet pays the fee of this authorization', {
      details: { path: 'delegation.fees' },
    })
  }
  const { chainId } = delegation
  const wallet = await requireEligible(context, app, caller, { address, chainId, calls: [] })
  const signed: SignedDelegation = { sender: wallet.address, delegation, signatures: signature as Hex }
  return checkSigned(context, app, caller, signed)
}

async function checkSigned(
  context: ServerContext,
  app: App,
  caller: DialogToken,
  signed: Signed,
): Promise<Checked> {
  const { sender } = signed
  const id = await requireSignatures(signed)
  const chainId = getChainId(signed)
  if (!isDelegation(signed) && isPaid(signed.operation))
    return checkPaid(context, app, caller, { ...signed, operation: signed.operation, id })
  const relay = await requireRelay(context, app, chainId)
  const callNode = createNodeCaller(context, chainId)
  const { address: relayAddress } = await relay.account()
  const [{ gas, cents, ...fees }, relayNonce] = await Promise.all([
    priceTransaction(context, app, callNode, signed, relayAddress),
    callNode(quantity, 'eth_getTransactionCount', relayAddress, 'pending'),
  ])
  const now = nowSeconds(context.clock)
  const row: OperationRow = {
    id,
    app_id: caller.appId,
    user_id: caller.userId,
    chain_id: String(chainId),
    sender,
    signed: JSON.stringify(signed),
    relay: relayAddress,
    relay_nonce: null,
    gas,
    max_fee: String(fees.maxFee),
    priority_fee: String(fees.priorityFee),
    transactions: '[]',
    state: 'pending',
    cents,
    created_at: now,
    sent_at: now,
    due_at_ms: context.clock.nowMs() + sponsorServerLimits.leaseMs,
    settled_at: null,
  }
  try {
    await (isDelegation(signed)
      ? requireCurrent(callNode, signed)
      : simulate(callNode, signed, { relay: relayAddress, gas }))
  } catch (error) {
    if (!(error instanceof LatchkeyError) || error.code !== 'transaction_failure') throw error
    const failed = { signed: '', state: 'dropped', cents: 0, due_at_ms: null, settled_at: now } as const
    return { type: 'failed', row: { ...row, ...failed } }
  }
  return { type: 'ready', row, relayNonceOfChain: Number(relayNonce) }
}

/** A bundler and a paymaster check the operation when they receive it, so it is not simulated here. */
async function checkPaid(
  context: ServerContext,
  app: App,
  { appId, userId }: DialogToken,
  { id, operation, ...signed }: SignedOperation & { id: string; operation: PaidOperation },
): Promise<Checked> {
  const { chainId, payment } = operation
  const sponsor = await requireSponsored(context, app, chainId)
  if (sponsor.type !== 'erc4337')
    throw new LatchkeyError('not_supported', 'No paymaster pays for this app on this network')
  const row: OperationRow = {
    id,
    app_id: appId,
    user_id: userId,
    chain_id: String(chainId),
    sender: signed.sender,
    signed: JSON.stringify({ ...signed, operation }),
    relay: payment.paymaster,
    relay_nonce: null,
    gas: getPaidGas(operation),
    max_fee: payment.maxFeePerGas,
    priority_fee: payment.maxPriorityFeePerGas,
    transactions: '[]',
    state: 'pending',
    cents: await pricePaid(context, app, operation),
    created_at: nowSeconds(context.clock),
    sent_at: NOT_SENT,
    due_at_ms: context.clock.nowMs() + sponsorServerLimits.leaseMs,
    settled_at: null,
  }
  return { type: 'ready', row, relayNonceOfChain: null }
}

/** Returns the id. Throws unless all signatures are by the wallet, so that the relay pays for no stranger. */
async function requireSignatures(signed: Signed): Promise<Hex> {
  const { id, signatures } = await hashSigned(signed)
  const needed = isDelegation(signed) || signed.operation.authorizationNonce === null ? 1 : 2
  const signers = await Promise.all(signatures.map((each) => recoverAddress(each).catch(() => '')))
  const isComplete = signatures.length === needed
  if (isComplete && signers.every((signer) => isSameAddress(signer, signed.sender))) return id
  throw new LatchkeyError('invalid_data', 'The signature is not by the wallet', {
    details: { path: 'signatures' },
  })
}

/** Throws `transaction_failure` if the network would ignore the authorization. */
async function requireCurrent(
  callNode: NodeCaller,
  { sender, delegation: { delegate, nonce } }: SignedDelegation,
): Promise<void> {
  await requireOtherDelegate(callNode, sender, delegate)
  const accountNonce = await callNode(quantity, 'eth_getTransactionCount', sender, 'latest')
  if (accountNonce !== BigInt(nonce))
    throw new LatchkeyError('transaction_failure', 'The wallet has changed on the network')
}

/** Throws `transaction_failure` if a call or the operation would fail now. */
async function simulate(
  callNode: NodeCaller,
  signed: SignedOperation,
  { relay, gas }: { relay: string; gas: number },
): Promise<void> {
  const { authorizationNonce, calls } = signed.operation
  const sender = signed.sender as Hex
  const [code, accountNonce] = await Promise.all([
    callNode(bytes, 'eth_getCode', sender, 'latest'),
    callNode(quantity, 'eth_getTransactionCount', sender, 'latest'),
  ])
  const isDelegated = code === delegatedCode
  const isReady = authorizationNonce === null ? isDelegated : accountNonce === BigInt(authorizationNonce)
  if (!isReady) throw new LatchkeyError('transaction_failure', 'The wallet has changed on the network')
  const call = { from: relay, ...(await encodeCall(signed, relay)), gas: `0x${gas.toString(16)}` }
  await callNode(v.unknown(), 'eth_call', call, 'latest', { [sender]: { code: delegatedCode } })
  // The entry point catches a revert of the calls, so they are also run alone.
  await callNode(v.unknown(), 'eth_call', ...(await toBatchCall(sender, calls)))
}

/** Counts the maximum fee against the budgets and takes a nonce, in one transaction. */
export async function storeOperation(
  trx: Trx,
  context: ServerContext,
  app: App,
  checked: Checked,
): Promise<SentOperation> {
  const { row } = checked
  await lockApp(trx, app.id)
  const existing = await store.find(trx, row.id)
  if (existing) return { id: row.id, isFailed: existing.relay_nonce === null }
  if (checked.type === 'failed') {
    await store.insert(trx, row)
    return { id: row.id, isFailed: true }
  }
  const now = nowSeconds(context.clock)
  const { usdPerDay, usdPerUserPerDay } = app.sponsorLimits
  const ofApp = await store.getUsage(trx, 'app_id', app.id, now)
  const ofUser = await store.getUsage(trx, 'user_id', row.user_id, now)
  if (ofUser.pending >= sponsorServerLimits.pendingPerUser)
    throw tooManyRequests(sponsorServerLimits.nodeLagSeconds)
  requireWithin(ofApp.cents + row.cents, usdPerDay)
  requireWithin(ofUser.cents + row.cents, usdPerUserPerDay)
  warnOnce(context, app, ofApp.cents, row.cents)
  const relay = { chainId: row.chain_id, relay: row.relay }
  const { relayNonceOfChain } = checked
  const nonce =
    relayNonceOfChain === null ? NO_NONCE : await store.takeNonce(trx, relay, relayNonceOfChain, now)
  await store.insert(trx, { ...row, relay_nonce: nonce })
  return { id: row.id, isFailed: false }
}

/** Only the transactions of an EVM relay have its nonces. */
const NO_NONCE = 0

/** Warns when the operations of a day cross a share of the app's budget. */
function warnOnce({ log }: ServerContext, { id, sponsorLimits }: App, before: number, added: number): void {
  const threshold = sponsorServerLimits.warnAtShare * sponsorLimits.usdPerDay * CENTS
  if (before < threshold && before + added >= threshold) {
    log.warn(
      { app: id, usd: formatDollars(before + added) },
      'the budget for sponsored fees is almost used up',
    )
  }
}

/** Sends the transaction. If the node is unreachable, the worker sends it later. */
export async function performOperation(
  context: ServerContext,
  { id, isFailed }: SentOperation,
): Promise<void> {
  const row = await store.find(context.db, id)
  if (row?.state !== 'pending' || isFailed || row.transactions !== '[]') return
  sponsoredOperations.add({ chain: row.chain_id, outcome: 'sent' })
  await broadcast(context, row).catch((error: unknown) =>
    context.log.warn({ error, chain: row.chain_id }, 'a sponsored transaction was not sent yet'),
  )
}

export async function renderOperation(
  context: ServerContext,
  caller: DialogToken,
  { id, isFailed }: SentOperation,
): Promise<SponsoredOperation> {
  const status = isFailed ? undefined : await operationStatus(context, caller, id)
  if (status && status.state !== 'dropped') return status
  throw new LatchkeyError('transaction_failure', 'The network would reject these calls')
}

export async function operationStatus(
  { db }: Pick<ServerContext, 'db'>,
  { userId }: DialogToken,
  id: string,
): Promise<SponsoredOperation> {
  const row = await store.find(db, id)
  if (row?.user_id !== userId || row.state === 'expired')
    throw new LatchkeyError('not_found', 'The user has no such operation')
  return { id, state: row.state, transactionHash: store.parseHashes(row).at(-1) ?? null }
}

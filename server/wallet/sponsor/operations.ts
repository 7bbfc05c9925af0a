/** Quotes operations, checks them against the budgets, and sends them. `worker.ts` follows them until they are in a block. */
import { isSameAddress, LatchkeyError } from '@latchkey/protocol'
import type { RouteBody, RouteOutput, SponsoredOperation, sponsorRoutes } from '@latchkey/protocol/api'
import {
  delegatedCode,
  entryPoint,
  type OperationCall,
  readDelegate,
  type UserOperation,
} from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import type { Hex } from 'viem'
import { encodeFunctionData, parseAbi, recoverAddress } from 'viem/utils'
import { lockApp } from '../../identity/apps/apps.ts'
import { requireUser } from '../../identity/users/users.ts'
import {
  bytes,
  createNodeCaller,
  type NodeCaller,
  quantity,
  requireSponsored,
} from '../../integrations/relays/relays.ts'
import { consume, tooManyRequests } from '../../kernel/attempts/attempts.ts'
import type { DialogToken, ServerContext } from '../../kernel/context.ts'
import { type App, nowSeconds, type Trx } from '../../kernel/ports.ts'
import { committedWalletAt, formatDollars, loadOperationEncoder } from '../confirm/confirm.ts'
import { readFees, requireFeeCents } from './fees.ts'
import { broadcast } from './following.ts'
import { sponsorServerLimits } from './limits.ts'
import { sponsoredOperations } from './metrics.ts'
import * as store from './store.ts'
import type { OperationRow } from './tables.ts'
import {
  encodeCall,
  getChainId,
  getTransactionGas,
  hashSigned,
  isDelegation,
  type Signed,
  type SignedDelegation,
  type SignedOperation,
} from './transaction.ts'

type Quote = RouteBody<typeof sponsorRoutes.quoteOperation>
type Send = RouteBody<typeof sponsorRoutes.sendOperation>
type SendDelegation = RouteBody<typeof sponsorRoutes.sendDelegation>

/** Checks that need no chain: the wallet, the calls and the user. */
async function requireEligible(
  context: ServerContext,
  app: App,
  caller: DialogToken,
  { address, chainId, calls }: Quote,
) {
  const wallet = await committedWalletAt(context.db, caller, address)
  if (wallet === undefined)
    throw new LatchkeyError('embedded_wallet_not_found', 'The user has no such wallet')
  const { sponsorLimits } = app
  const { calls: listed } = sponsorLimits
  if (listed && !calls.every((call) => listed.some((each) => isListed(each, chainId, call)))) {
    throw new LatchkeyError('not_supported', 'The fees of one of these calls are not paid')
  }
  const now = nowSeconds(context.clock)
  const { createdAt } = await requireUser(context.db, caller.appId, caller.userId)
  if (now - createdAt < 60 * sponsorLimits.minAccountMinutes) {
    throw new LatchkeyError('not_supported', 'This account is too new for paid fees')
  }
  const { failed } = await store.getUsage(context.db, 'user_id', caller.userId, now)
  if (failed >= sponsorServerLimits.failuresPerDay) {
    throw new LatchkeyError('not_supported', 'Too many operations of this user failed today')
  }
  return wallet
}

const SELECTOR_LENGTH = 2 + 2 * 4
const isListed = (
  { chain, contract, selector }: { chain: number; contract: string; selector: string },
  chainId: number,
  { to, data }: OperationCall,
) => chain === chainId && contract === to && selector === data.slice(0, SELECTOR_LENGTH)

async function consumeQuota(
  trx: Trx,
  context: ServerContext,
  { userId }: DialogToken,
  what: string,
  limit: number,
) {
  const quotas = [{ limit, windowSeconds: sponsorServerLimits.daySeconds }]
  const attempt = { key: `sponsor-${what}|${userId}`, quotas, nowSeconds: nowSeconds(context.clock) }
  const allowance = await consume(trx, attempt)
  if (!allowance.allowed) throw tooManyRequests(allowance.retryAfterSeconds)
}

const entryPointAbi = parseAbi(['function getNonce(address sender, uint192 key) view returns (uint256)'])

export async function quoteOperation(
  context: ServerContext,
  app: App,
  caller: DialogToken,
  quote: Quote,
): Promise<RouteOutput<typeof sponsorRoutes.quoteOperation>> {
  const { chainId, calls } = quote
  const wallet = await requireEligible(context, app, caller, quote)
  const relay = await requireSponsored(context, app, chainId)
  await context.transaction((trx) =>
    consumeQuota(trx, context, caller, 'quotes', sponsorServerLimits.quotesPerDay),
  )
  const callNode = createNodeCaller(context, chainId)
  const sender = wallet.address as Hex
  const [code, accountNonce, nonce, callGas] = await Promise.all([
    callNode(bytes, 'eth_getCode', sender, 'latest'),
    callNode(quantity, 'eth_getTransactionCount', sender, 'pending'),
    callNode(quantity, 'eth_call', { to: entryPoint, data: encodeGetNonce(sender) }, 'latest'),
    estimateCalls(callNode, sender, calls),
  ])
  requireOwnCode(code)
  const operation: UserOperation = {
    chainId,
    nonce: String(nonce),
    calls,
    verificationGasLimit: sponsorServerLimits.verificationGas,
    callGasLimit: callGas,
    authorizationNonce: code === '0x' ? Number(accountNonce) : null,
  }
  const { address } = await relay.account()
  const { cents } = await priceTransaction(
    context,
    app,
    callNode,
    { sender, operation, signatures: unsigned },
    address,
  )
  return { operation, usd: cents === 0 ? null : formatDollars(cents) }
}

/** Stands in for the signature of the user, which has the same length. */
const unsigned: Hex = `0x${'11'.repeat(65)}`

/** Returns the maximum fee. Throws if it is more than the app pays for one operation. */
async function priceTransaction(
  context: ServerContext,
  app: App,
  callNode: NodeCaller,
  signed: Signed,
  relay: string,
) {
  const fees = await readFees(callNode)
  const gas = getTransactionGas(signed, (await encodeCall(signed, relay)).data)
  const fee = { chainId: String(getChainId(signed)), amount: BigInt(gas) * fees.maxFee }
  const cents = await requireFeeCents(context, app, fee)
  requireWithin(cents, app.sponsorLimits.usdPerOperation)
  return { ...fees, gas, cents }
}

/** Returns the authorization that removes or replaces the delegate of the wallet. */
export async function quoteDelegation(
  context: ServerContext,
  app: App,
  caller: DialogToken,
  { address, chainId, delegate }: RouteBody<typeof sponsorRoutes.quoteDelegation>,
): Promise<RouteOutput<typeof sponsorRoutes.quoteDelegation>> {
  const wallet = await requireEligible(context, app, caller, { address, chainId, calls: [] })
  const relay = await requireSponsored(context, app, chainId)
  await context.transaction((trx) =>
    consumeQuota(trx, context, caller, 'quotes', sponsorServerLimits.quotesPerDay),
  )
  const callNode = createNodeCaller(context, chainId)
  const sender = wallet.address
  const nonce = await callNode(quantity, 'eth_getTransactionCount', sender, 'pending')
  const delegation = { chainId, delegate, nonce: Number(nonce), fees: null }
  await requireOtherDelegate(callNode, sender, delegate)
  const relayAccount = await relay.account()
  await priceTransaction(
    context,
    app,
    callNode,
    { sender, delegation, signatures: unsigned },
    relayAccount.address,
  )
  return { delegation }
}

/** Throws unless the wallet runs another contract, because the operator pays for a change only. */
async function requireOtherDelegate(callNode: NodeCaller, wallet: string, delegate: string): Promise<void> {
  const current = readDelegate(await callNode(bytes, 'eth_getCode', wallet, 'latest'))
  if (current !== undefined && current !== delegate) return
  throw new LatchkeyError('not_supported', 'The wallet has no other delegate on this network')
}

/** Throws if the wallet runs other code. Its user may have chosen that in another wallet, so it is not replaced. */
function requireOwnCode(code: Hex): void {
  if (code === '0x' || code === delegatedCode) return
  throw new LatchkeyError('not_supported', 'The wallet is delegated to another contract on this network')
}

const encodeGetNonce = (sender: Hex) => encodeFunctionData({ abi: entryPointAbi, args: [sender, 0n] })

/** The call of the entry point to the wallet, as if the wallet were delegated already. */
async function toBatchCall(sender: Hex, calls: UserOperation['calls']) {
  const { encodeBatch } = await loadOperationEncoder()
  const call = { from: entryPoint, to: sender, data: encodeBatch(calls) }
  return [call, 'latest', { [sender]: { code: delegatedCode } }] as const
}

/** Adds a fifth, because the state may change between the estimate and the block. */
async function estimateCalls(
  callNode: NodeCaller,
  sender: Hex,
  calls: UserOperation['calls'],
): Promise<number> {
  const gas = await callNode(quantity, 'eth_estimateGas', ...(await toBatchCall(sender, calls)))
  return Number((gas * 6n) / 5n)
}

const CENTS = 100
function requireWithin(cents: number, usd: number): void {
  if (cents > usd * CENTS) throw new LatchkeyError('not_supported', 'The fees exceed what is paid for users')
}

/** An operation that passed the checks on the chain, or the reason why it is not sent. */
type Checked =
  | { type: 'ready'; row: OperationRow; relayNonceOfChain: number }
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
  const relay = await requireSponsored(context, app, chainId)
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
  const nonce = await store.takeNonce(trx, relay, checked.relayNonceOfChain, now)
  await store.insert(trx, { ...row, relay_nonce: nonce })
  return { id: row.id, isFailed: false }
}

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
  if (row === undefined || isFailed || row.transactions !== '[]') return
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
  if (isFailed) throw new LatchkeyError('transaction_failure', 'The network would reject these calls')
  return operationStatus(context, caller, id)
}

export async function operationStatus(
  { db }: Pick<ServerContext, 'db'>,
  { userId }: DialogToken,
  id: string,
): Promise<SponsoredOperation> {
  const row = await store.find(db, id)
  if (row?.user_id !== userId) throw new LatchkeyError('not_found', 'The user has no such operation')
  return { id, state: row.state, transactionHash: store.parseHashes(row).at(-1) ?? null }
}

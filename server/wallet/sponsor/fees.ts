/** The fees per gas of a chain, and the price of transactions and operations. */
import { LatchkeyError, type SolanaCluster } from '@latchkey/protocol'
import * as v from 'valibot'
import { solanaChain } from '../../integrations/prices/prices.ts'
import { type NodeCaller, quantity } from '../../integrations/relays/relays.ts'
import type { ServerContext } from '../../kernel/context.ts'
import type { App } from '../../kernel/ports.ts'
import { getFeeCents } from '../confirm/confirm.ts'
import {
  encodeCall,
  getChainId,
  getPaidGas,
  getTransactionGas,
  type PaidOperation,
  type Signed,
} from './transaction.ts'

const block = v.object({ baseFeePerGas: quantity })

/** Returns fees that suffice if the base fee doubles before the transaction is mined. */
export async function readFees(callNode: NodeCaller): Promise<{ maxFee: bigint; priorityFee: bigint }> {
  const [{ baseFeePerGas }, priorityFee] = await Promise.all([
    callNode(block, 'eth_getBlockByNumber', 'latest', false),
    callNode(quantity, 'eth_maxPriorityFeePerGas'),
  ])
  return { maxFee: 2n * baseFeePerGas + priorityFee, priorityFee }
}

/** Returns the fee in cents. Throws without a price, because no budget could count it. */
async function requireFeeCents(
  context: Pick<ServerContext, 'ports'>,
  app: App,
  fee: { chainId: string; amount: bigint },
): Promise<number> {
  const cents = await getFeeCents(context, app, fee)
  if (cents !== null) return cents
  throw new LatchkeyError('not_supported', 'The fees on this network have no known price')
}

/** Returns the maximum fee. Throws if it is more than the app pays for one operation. */
export async function priceTransaction(
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

/** Returns the maximum fee that the paymaster is charged. Throws if it is more than the app pays for one operation. */
export async function pricePaid(context: ServerContext, app: App, operation: PaidOperation): Promise<number> {
  const amount = BigInt(getPaidGas(operation)) * BigInt(operation.payment.maxFeePerGas)
  const cents = await requireFeeCents(context, app, { chainId: String(operation.chainId), amount })
  requireWithin(cents, app.sponsorLimits.usdPerOperation)
  return cents
}

/** Returns the maximum fee of a Solana transaction in cents, and 0 on a test network. Throws beyond the limit. */
export async function priceSolana(
  context: ServerContext,
  app: App,
  cluster: SolanaCluster,
  lamports: bigint,
): Promise<number> {
  if (cluster !== 'mainnet') return 0
  const cents = await requireFeeCents(context, app, { chainId: solanaChain, amount: lamports })
  requireWithin(cents, app.sponsorLimits.usdPerOperation)
  return cents
}

export const CENTS = 100
export function requireWithin(cents: number, usd: number): void {
  if (cents > usd * CENTS) throw new LatchkeyError('not_supported', 'The fees exceed what is paid for users')
}

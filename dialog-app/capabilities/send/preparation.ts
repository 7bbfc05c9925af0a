/** Reads the facts for a transaction review from the chain, in parallel. */
import * as v from 'valibot'
import { quantity, type Rpc, RpcRefused, toQuantity } from '../../chains/rpc.ts'
import type { L1Fee } from './l1-fee.ts'
import type { Fees, Transaction } from './transaction.ts'

export type Prepared = {
  nonce: number
  gasLimit: bigint
  fees: Fees
  /** The fee at the current prices, and the maximum. */
  estimatedFee: bigint
  mostFee: bigint
  /** The chain did not return its fee for the data, which is added to these. */
  mayCostMore: boolean
  balance: bigint
  hasEnough: boolean
  /** A simulation of the transaction failed. */
  willFail: boolean
}

const block = v.object({ baseFeePerGas: v.exactOptional(v.nullable(quantity)) })

/** The gas limit without an estimate. Enough for common transactions. */
const GAS_WITHOUT_ESTIMATE = 500_000n
/** The base fee may double before it is mined: https://eips.ethereum.org/EIPS/eip-1559 raises it by an eighth a block. */
const BASE_FEES_PAID = 2n
/** Adds a fifth, because the state may change between the estimate and the block. */
const withRoom = (gas: bigint) => (gas * 6n) / 5n
const PLAIN_TRANSFER_GAS = 21_000n

export async function prepare(
  rpc: Rpc,
  from: string,
  transaction: Transaction,
  signal: AbortSignal,
  /** Zero on a chain without fees for data. */
  l1Fee: Promise<L1Fee> = Promise.resolve(0n),
): Promise<Prepared> {
  const ask = async <Schema extends v.GenericSchema>(
    schema: Schema,
    method: string,
    ...params: readonly unknown[]
  ): Promise<v.InferOutput<Schema>> => v.parse(schema, await rpc.ask(method, params, signal))

  const call = {
    from,
    ...(transaction.to !== null && { to: transaction.to }),
    ...(transaction.data !== '0x' && { data: transaction.data }),
    value: toQuantity(transaction.value),
  }
  const [count, balance, { baseFeePerGas }, gasPrice, tip, simulation, estimate, l1] = await Promise.all([
    ask(quantity, 'eth_getTransactionCount', from, 'pending'),
    ask(quantity, 'eth_getBalance', from, 'latest'),
    ask(block, 'eth_getBlockByNumber', 'latest', false),
    ask(quantity, 'eth_gasPrice'),
    // Chains without a fee market lack this method.
    orRefused(ask(quantity, 'eth_maxPriorityFeePerGas')),
    orRefused(rpc.ask('eth_call', [call, 'latest'], signal)),
    orRefused(ask(quantity, 'eth_estimateGas', call)),
    l1Fee,
  ])
  const dataFee = l1 === 'unknown' ? 0n : l1
  const gasLimit = transaction.gasLimit ?? gasFrom(estimate)
  const fees = feesFor(
    transaction,
    baseFeePerGas ?? undefined,
    gasPrice,
    tip instanceof RpcRefused ? undefined : tip,
  )
  const mostFee = gasLimit * (fees.kind === 'legacy' ? fees.gasPrice : fees.maxFeePerGas) + dataFee
  const gasExpected = estimate instanceof RpcRefused ? gasLimit : least(gasLimit, estimate)
  // spec W5.12: a balance of exactly value and fees is enough.
  const hasEnough = balance - transaction.value - mostFee >= 0n
  return {
    nonce: transaction.nonce ?? Number(count),
    gasLimit,
    fees,
    estimatedFee: gasExpected * priceNow(fees, baseFeePerGas ?? undefined) + dataFee,
    mostFee,
    mayCostMore: l1 === 'unknown',
    balance,
    hasEnough,
    // A simulation also fails for insufficient funds, which the screen shows separately.
    willFail: hasEnough && (simulation instanceof RpcRefused || estimate instanceof RpcRefused),
  }
}

/** Resolves with an error that the node returned. Rejects if no node answered. */
const orRefused = <T>(response: Promise<T>): Promise<T | RpcRefused> =>
  response.catch((error: unknown) => {
    if (error instanceof RpcRefused) return error
    throw error
  })

function gasFrom(estimate: bigint | RpcRefused): bigint {
  if (estimate instanceof RpcRefused) return GAS_WITHOUT_ESTIMATE
  return estimate === PLAIN_TRANSFER_GAS ? estimate : withRoom(estimate)
}

function feesFor(
  { gasPrice: requestedPrice, maxFeePerGas, maxPriorityFeePerGas }: Transaction,
  baseFee: bigint | undefined,
  gasPrice: bigint,
  tip: bigint | undefined,
): Fees {
  if (requestedPrice !== undefined) return { kind: 'legacy', gasPrice: requestedPrice }
  if (baseFee === undefined) return { kind: 'legacy', gasPrice }
  const usual = maxPriorityFeePerGas ?? tip ?? (gasPrice > baseFee ? gasPrice - baseFee : 0n)
  const most = maxFeePerGas ?? baseFee * BASE_FEES_PAID + usual
  return { kind: 'market', maxFeePerGas: most, maxPriorityFeePerGas: least(usual, most) }
}

function priceNow(fees: Fees, baseFee: bigint | undefined): bigint {
  if (fees.kind === 'legacy') return fees.gasPrice
  return least(fees.maxFeePerGas, (baseFee ?? 0n) + fees.maxPriorityFeePerGas)
}

const least = (one: bigint, other: bigint) => (one < other ? one : other)

/** What has to be known before a transaction can be put to its user: asked of the chain, all at once. */
import * as v from 'valibot'
import { quantity, type Rpc, RpcRefused, toQuantity } from '../../chains/rpc.ts'
import type { L1Fee } from './l1-fee.ts'
import type { Fees, Transaction } from './transaction.ts'

export type Prepared = {
  nonce: number
  gasLimit: bigint
  fees: Fees
  /** What it will cost as the chain is now, and what it may cost at most. */
  estimatedFee: bigint
  mostFee: bigint
  /** The chain did not say what it charges for the data, which comes on top. */
  mayCostMore: boolean
  balance: bigint
  hasEnough: boolean
  /** The chain refused it when it was tried without being sent. */
  willFail: boolean
}

const block = v.object({ baseFeePerGas: v.exactOptional(v.nullable(quantity)) })

/** The gas of a transaction that the chain would not estimate is enough for what wallets usually send. */
const GAS_WITHOUT_ESTIMATE = 500_000n
/** The base fee may double before it is mined: https://eips.ethereum.org/EIPS/eip-1559 raises it by an eighth a block. */
const BASE_FEES_PAID = 2n
/** A state may differ between the estimate and the block: a fifth more. */
const withRoom = (gas: bigint) => (gas * 6n) / 5n
const PLAIN_TRANSFER_GAS = 21_000n

export async function prepare(
  rpc: Rpc,
  from: string,
  transaction: Transaction,
  signal: AbortSignal,
  /** Of a chain that charges nothing for data, nothing. */
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
  const [count, balance, { baseFeePerGas }, gasPrice, tip, tried, estimate, data] = await Promise.all([
    ask(quantity, 'eth_getTransactionCount', from, 'pending'),
    ask(quantity, 'eth_getBalance', from, 'latest'),
    ask(block, 'eth_getBlockByNumber', 'latest', false),
    ask(quantity, 'eth_gasPrice'),
    // Chains without a fee market have no such method.
    orRefused(ask(quantity, 'eth_maxPriorityFeePerGas')),
    orRefused(rpc.ask('eth_call', [call, 'latest'], signal)),
    orRefused(ask(quantity, 'eth_estimateGas', call)),
    l1Fee,
  ])
  const dataFee = data === 'unknown' ? 0n : data
  const gasLimit = transaction.gasLimit ?? gasFrom(estimate)
  const fees = feesFor(
    transaction,
    baseFeePerGas ?? undefined,
    gasPrice,
    tip instanceof RpcRefused ? undefined : tip,
  )
  const mostFee = gasLimit * (fees.kind === 'legacy' ? fees.gasPrice : fees.maxFeePerGas) + dataFee
  const gasExpected = estimate instanceof RpcRefused ? gasLimit : least(gasLimit, estimate)
  // spec W5.12: nothing left over is enough.
  const hasEnough = balance - transaction.value - mostFee >= 0n
  return {
    nonce: transaction.nonce ?? Number(count),
    gasLimit,
    fees,
    estimatedFee: gasExpected * priceNow(fees, baseFeePerGas ?? undefined) + dataFee,
    mostFee,
    mayCostMore: data === 'unknown',
    balance,
    hasEnough,
    // A chain refuses to try what cannot be paid, which is said in words of its own.
    willFail: hasEnough && (tried instanceof RpcRefused || estimate instanceof RpcRefused),
  }
}

/** What the chain refused is an answer here; that it could not be asked is none. */
const orRefused = <T>(asked: Promise<T>): Promise<T | RpcRefused> =>
  asked.catch((error: unknown) => {
    if (error instanceof RpcRefused) return error
    throw error
  })

function gasFrom(estimate: bigint | RpcRefused): bigint {
  if (estimate instanceof RpcRefused) return GAS_WITHOUT_ESTIMATE
  return estimate === PLAIN_TRANSFER_GAS ? estimate : withRoom(estimate)
}

function feesFor(
  { gasPrice: asked, maxFeePerGas, maxPriorityFeePerGas }: Transaction,
  baseFee: bigint | undefined,
  gasPrice: bigint,
  tip: bigint | undefined,
): Fees {
  if (asked !== undefined) return { kind: 'legacy', gasPrice: asked }
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

/**
 * What a chain of the OP stack charges for the data of a transaction, beside its gas. It is asked while the other reads
 * are under way, when nobody knows yet which number, gas and fees the transaction has: so these stand there as long as
 * they can be, and what is charged is a little less.
 */
import { walletLimits } from '@latchkey/protocol'
import * as v from 'valibot'
import type { Hex } from '../../browser/hex.ts'
import type { Clock } from '../../browser/ports.ts'
import { quantity, type Rpc } from '../../chains/rpc.ts'
import type { Transaction } from './transaction.ts'

/** `unknown`: the chain did not say it in time. */
export type L1Fee = bigint | 'unknown'

/** As serialized, of what the chain is yet to say. */
const longest = {
  nonce: 0x7fff_fffb,
  gasLimit: 0x9b7f_3d6bn,
  maxFeePerGas: 0xe7_5b1d_9f37n,
  maxPriorityFeePerGas: 0xb3_6d2f_8ac5n,
}

export type L1FeePorts = {
  rpc: Rpc
  clock: Clock
  signal: AbortSignal
  serialize: (
    transaction: Transaction,
    as: {
      nonce: number
      gasLimit: bigint
      fees: {
        kind: 'market'
        maxFeePerGas: bigint
        maxPriorityFeePerGas: bigint
      }
    },
  ) => Hex
  /** The call of the chain's oracle about a serialized transaction. */
  question: (serialized: Hex) => { to: string; data: Hex }
}

export async function l1FeeOf(
  transaction: Transaction,
  { rpc, clock, signal, serialize, question }: L1FeePorts,
): Promise<L1Fee> {
  const { nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = longest
  const serialized = serialize(transaction, {
    nonce: transaction.nonce ?? nonce,
    gasLimit: transaction.gasLimit ?? gasLimit,
    fees: { kind: 'market', maxFeePerGas, maxPriorityFeePerGas },
  })
  const inTime = new AbortController()
  const stop = clock.after(walletLimits.l1FeeTimeoutMs, () => inTime.abort())
  try {
    const asked = rpc.ask(
      'eth_call',
      [question(serialized), 'latest'],
      AbortSignal.any([signal, inTime.signal]),
    )
    return v.parse(quantity, await asked)
  } catch (error) {
    if (signal.aborted) throw error
    return 'unknown'
  } finally {
    stop()
  }
}

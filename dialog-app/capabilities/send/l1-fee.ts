/**
 * The fee that an OP stack chain charges for the data of a transaction, in addition to gas. It is read together with the
 * nonce, gas and fees. The estimate uses the longest values for them, so the charged fee is slightly lower.
 */
import { walletLimits } from '@latchkey/protocol'
import * as v from 'valibot'
import type { Hex } from '../../browser/hex.ts'
import type { Clock } from '../../browser/ports.ts'
import { quantity, type Rpc } from '../../chains/rpc.ts'
import type { Transaction } from './transaction.ts'

/** `unknown`: the chain did not return the fee in time. */
export type L1Fee = bigint | 'unknown'

/** Values that serialize to the full length. */
const longest = {
  nonce: 0x7fff_fffb,
  gasLimit: 0x9b7f_3d6bn,
  maxFeePerGas: 0xe7_5b1d_9f37n,
  maxPriorityFeePerGas: 0xb3_6d2f_8ac5n,
}

type L1FeePorts = {
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
  /** Returns the call of the chain's gas price oracle for a serialized transaction. */
  l1FeeCall: (serialized: Hex) => { to: string; data: Hex }
}

export async function getL1Fee(
  transaction: Transaction,
  { rpc, clock, signal, serialize, l1FeeCall }: L1FeePorts,
): Promise<L1Fee> {
  const { nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = longest
  const serialized = serialize(transaction, {
    nonce: transaction.nonce ?? nonce,
    gasLimit: transaction.gasLimit ?? gasLimit,
    fees: { kind: 'market', maxFeePerGas, maxPriorityFeePerGas },
  })
  const deadline = new AbortController()
  const stop = clock.after(walletLimits.l1FeeTimeoutMs, () => deadline.abort())
  try {
    const response = rpc.ask(
      'eth_call',
      [l1FeeCall(serialized), 'latest'],
      AbortSignal.any([signal, deadline.signal]),
    )
    return v.parse(quantity, await response)
  } catch (error) {
    if (signal.aborted) throw error
    return 'unknown'
  } finally {
    stop()
  }
}

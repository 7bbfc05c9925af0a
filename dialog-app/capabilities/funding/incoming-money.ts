/** Polls the chain until funds arrive. */
import { fundingLimits } from '@latchkey/protocol/api'
import * as v from 'valibot'
import type { Clock } from '../../browser/ports.ts'
import { wait } from '../../browser/waiting.ts'
import { quantity, type Rpc } from '../../chains/rpc.ts'

export type Watched = {
  rpc: Rpc
  address: string
  /** The balance that ends the wait. Without it, any increase does. */
  untilBalance?: bigint | undefined
}

/** Returns the increase of the balance. Retries if the RPC node does not respond. */
export async function whenArrived(
  { rpc, address, untilBalance }: Watched,
  clock: Clock,
  signal: AbortSignal,
): Promise<bigint> {
  let initialBalance: bigint | undefined
  for (;;) {
    const balance = await rpc.ask('eth_getBalance', [address, 'latest'], signal).then(
      (answer) => v.parse(quantity, answer),
      () => undefined,
    )
    if (balance !== undefined) {
      initialBalance ??= balance
      const isThere = untilBalance === undefined ? balance > initialBalance : balance >= untilBalance
      if (isThere) return balance - initialBalance
    }
    await wait(clock, fundingLimits.balancePollMs, signal)
  }
}

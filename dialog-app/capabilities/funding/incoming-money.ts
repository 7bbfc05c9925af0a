/** Looks at the chain until money has arrived there. */
import { fundingLimits } from '@latchkey/protocol/api'
import * as v from 'valibot'
import type { Clock } from '../../browser/ports.ts'
import { wait } from '../../browser/waiting.ts'
import { quantity, type Rpc } from '../../chains/rpc.ts'

export type Watched = {
  rpc: Rpc
  address: string
  /** Enough; without it anything more than there was. */
  untilBalance?: bigint | undefined
}

/** The amount by which the balance has grown. A chain that gives no answer is asked again. */
export async function whenArrived(
  { rpc, address, untilBalance }: Watched,
  clock: Clock,
  signal: AbortSignal,
): Promise<bigint> {
  let before: bigint | undefined
  for (;;) {
    const balance = await rpc.ask('eth_getBalance', [address, 'latest'], signal).then(
      (answer) => v.parse(quantity, answer),
      () => undefined,
    )
    if (balance !== undefined) {
      before ??= balance
      const isThere = untilBalance === undefined ? balance > before : balance >= untilBalance
      if (isThere) return balance - before
    }
    await wait(clock, fundingLimits.balancePollMs, signal)
  }
}

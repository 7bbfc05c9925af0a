/** The fees per gas of a chain, and their price. */
import { LatchkeyError } from '@latchkey/protocol'
import * as v from 'valibot'
import { type NodeCaller, quantity } from '../../integrations/relays/relays.ts'
import type { ServerContext } from '../../kernel/context.ts'
import type { App } from '../../kernel/ports.ts'
import { getFeeCents } from '../confirm/confirm.ts'

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
export async function requireFeeCents(
  context: Pick<ServerContext, 'ports'>,
  app: App,
  fee: { chainId: string; amount: bigint },
): Promise<number> {
  const cents = await getFeeCents(context, app, fee)
  if (cents !== null) return cents
  throw new LatchkeyError('not_supported', 'The fees on this network have no known price')
}

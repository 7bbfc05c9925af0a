/**
 * Reads the L1 data fee that an OP Stack chain charges in addition to gas. Uses the operator's RPC node for the chain,
 * or else the app's RPC URLs.
 */
import { gasPriceOracleAddress } from '@latchkey/protocol/chains'
import type { Hex } from 'viem'
import { encodeFunctionData, parseAbi } from 'viem/utils'
import { type ContractAnswer, chains } from '../../../integrations/chains/chains.ts'
import type { ServerContext } from '../../../kernel/context.ts'
import type { App } from '../../../kernel/ports.ts'
import { confirmServerLimits } from '../limits.ts'
import { findChain } from '../reading/names.ts'

const oracleAbi = parseAbi(['function getL1Fee(bytes unsigned) view returns (uint256)'])

export type L1Fee = bigint | 'none' | 'unknown'

export async function getL1Fee(
  { ports }: Pick<ServerContext, 'ports'>,
  app: Pick<App, 'config'>,
  { chainId, serialized }: { chainId: string; serialized: Hex },
): Promise<L1Fee> {
  if (!(await findChain(app, chainId))?.isOpStack) return 'none'
  const data = encodeFunctionData({ abi: oracleAbi, functionName: 'getL1Fee', args: [serialized] })
  const signal = AbortSignal.timeout(confirmServerLimits.l1FeeDeadlineMs)
  const rpcChains = chains.get(ports)
  const contractCall = { address: gasPriceOracleAddress, data } as const
  for (const node of rpcChains.listNodes(app, chainId)) {
    const fee = parseFee(await rpcChains.callContractAt(node, contractCall, signal))
    if (fee !== 'unknown') return fee
  }
  return 'unknown'
}

const uint256Pattern = /^0x[0-9a-f]{64}$/i
const parseFee = (answer: ContractAnswer): L1Fee =>
  answer.type === 'said' && uint256Pattern.test(answer.data) ? BigInt(answer.data) : 'unknown'

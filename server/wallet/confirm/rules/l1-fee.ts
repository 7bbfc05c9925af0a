/**
 * What a chain of the OP stack charges for the data of a transaction, beside its gas. The chain says it itself, where the
 * operator lets this server ask it, and else where the dialog of the app asks it.
 */
import { gasPriceOracleAddress } from '@latchkey/protocol/chains'
import type { Hex } from 'viem'
import { encodeFunctionData, parseAbi } from 'viem/utils'
import { type ContractAnswer, chains } from '../../../integrations/chains/chains.ts'
import type { ServerContext } from '../../../kernel/context.ts'
import type { App } from '../../../kernel/ports.ts'
import { confirmServerLimits } from '../limits.ts'
import { chainNamed } from '../reading/names.ts'

const questions = parseAbi(['function getL1Fee(bytes unsigned) view returns (uint256)'])

export type L1Fee = bigint | 'none' | 'unknown'

export async function l1FeeOf(
  { ports }: Pick<ServerContext, 'ports'>,
  app: Pick<App, 'config'>,
  { chainId, serialized }: { chainId: string; serialized: Hex },
): Promise<L1Fee> {
  if (!(await chainNamed(app, chainId))?.isOpStack) return 'none'
  const data = encodeFunctionData({ abi: questions, functionName: 'getL1Fee', args: [serialized] })
  const signal = AbortSignal.timeout(confirmServerLimits.l1FeeDeadlineMs)
  const own = chains.on(ports)
  const question = { address: gasPriceOracleAddress, data } as const
  if (own.has(Number(chainId)))
    return feeIn(await own.callContract({ chainId: Number(chainId), ...question }, signal))
  for (const url of app.config.rpcUrls[chainId] ?? []) {
    const fee = feeIn(await own.callContractAt({ chainId, url }, question, signal))
    if (fee !== 'unknown') return fee
  }
  return 'unknown'
}

const word = /^0x[0-9a-f]{64}$/i
const feeIn = (answer: ContractAnswer): L1Fee =>
  answer.type === 'said' && word.test(answer.data) ? BigInt(answer.data) : 'unknown'

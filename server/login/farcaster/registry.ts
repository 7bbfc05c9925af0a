/**
 * Who owns an account: the ID registry on OP mainnet.
 * https://docs.farcaster.xyz/reference/contracts/reference/id-registry
 */
import type { Address } from 'viem'
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem/utils'
import type { Chains } from '../../integrations/chains/chains.ts'
import { farcasterChainId } from './message.ts'

const address: Address = '0x00000000Fc6c5F01Fc30151999387Bb99A9f489b'
const abi = parseAbi(['function idOf(address owner) view returns (uint256 fid)'])
const functionName = 'idOf'

export type FidAnswer =
  | { readonly type: 'owns'; readonly fid: bigint }
  | { readonly type: 'failed'; readonly why: string }

/** Asks for the Farcaster id that the address owns; it is 0 where the address owns none. */
export async function fidOf(chains: Chains, custody: Address, signal: AbortSignal): Promise<FidAnswer> {
  const data = encodeFunctionData({ abi, functionName, args: [custody] })
  const answer = await chains.ask({ chainId: farcasterChainId, address, data }, signal)
  if (answer.type === 'failed') return answer
  try {
    return { type: 'owns', fid: decodeFunctionResult({ abi, functionName, data: answer.data }) }
  } catch (cause) {
    // No contract is there, or another one.
    return { type: 'failed', why: String(cause) }
  }
}

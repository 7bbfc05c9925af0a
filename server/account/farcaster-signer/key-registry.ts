/**
 * Reads the Farcaster key registry on OP Mainnet. A removed key can never be added again.
 * https://docs.farcaster.xyz/reference/contracts/reference/key-registry
 */
import type { Address } from 'viem'
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem/utils'
import type { Chains } from '../../integrations/chains/chains.ts'
import { farcasterChainId } from '../../login/farcaster/farcaster.ts'

const address: Address = '0x00000000Fc1237824fb747aBDE0FF18990E59b7e'
const abi = parseAbi([
  'struct KeyData { uint8 state; uint32 keyType; }',
  'function keyDataOf(uint256 fid, bytes key) view returns (KeyData)',
])
const functionName = 'keyDataOf'

export type KeyState =
  | { type: 'unknown' }
  | { type: 'added' }
  | { type: 'removed' }
  | { type: 'failed'; why: string }

export async function getKeyState(
  chains: Chains,
  { fid, publicKey }: { fid: number; publicKey: string },
  signal: AbortSignal,
): Promise<KeyState> {
  const data = encodeFunctionData({ abi, functionName, args: [BigInt(fid), `0x${publicKey.slice(2)}`] })
  const answer = await chains.callContract({ chainId: farcasterChainId, address, data }, signal)
  if (answer.type === 'failed') return answer
  try {
    const { state } = decodeFunctionResult({ abi, functionName, data: answer.data })
    return stateNames[state] ?? { type: 'failed', why: `state ${state}` }
  } catch (cause) {
    // The address has no contract or a different one.
    return { type: 'failed', why: String(cause) }
  }
}

const stateNames: readonly (KeyState | undefined)[] = [
  { type: 'unknown' },
  { type: 'added' },
  { type: 'removed' },
]

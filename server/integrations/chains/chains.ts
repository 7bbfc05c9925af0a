/** Chains that the operator named: what only they know is asked there, and nowhere else. */
import type { Address, Hex } from 'viem'
import { registryKey } from '../../kernel/registry.ts'
import type { ChainNode } from './node.ts'

export { missingForChain } from './environment.ts'

export { askNode, type ChainNode, isOfContract, type RpcError } from './node.ts'

export type SignedMessage = {
  chainId: number
  address: Address
  message: string
  signature: Hex
}

/** `failed`: the chain said nothing of the signature, so nobody knows. */
export type SignatureAnswer =
  | { type: 'right' }
  | { type: 'wrong' }
  | { type: 'unknown chain' }
  | { type: 'failed'; why: string }

/** The answer to a call that changes nothing, as the chain is now. */
export type ContractAnswer = { type: 'said'; data: Hex } | { type: 'failed'; why: string }

export type Chains = {
  /** Whether the operator named it. */
  has: (chainId: number) => boolean
  ask: (
    contract: { chainId: number; address: Address; data: Hex },
    signal: AbortSignal,
  ) => Promise<ContractAnswer>
  /** The same at an address of somebody else's choice: an app's own. */
  askAt: (
    node: ChainNode,
    contract: { address: Address; data: Hex },
    signal: AbortSignal,
  ) => Promise<ContractAnswer>
  /** Whether the contract of this address takes the signature: ERC-1271, or ERC-6492 where it is not there yet. */
  verifyMessage: (signed: SignedMessage, signal: AbortSignal) => Promise<SignatureAnswer>
}

export const chains = registryKey<Chains>('the chains')

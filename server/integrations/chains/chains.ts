/** Chains that the operator named: what only they know is asked there, and nowhere else. */
import type { Address, Hex } from 'viem'
import { registryKey } from '../../kernel/registry.ts'
import type { ChainNode } from './node.ts'

export { missingForChain } from './environment.ts'

export { askNode, type ChainNode, isOfContract, type RpcError } from './node.ts'

export type SignedMessage = {
  readonly chainId: number
  readonly address: Address
  readonly message: string
  readonly signature: Hex
}

/** `failed`: the chain said nothing of the signature, so nobody knows. */
export type SignatureAnswer =
  | { readonly type: 'right' }
  | { readonly type: 'wrong' }
  | { readonly type: 'unknown chain' }
  | { readonly type: 'failed'; readonly why: string }

/** The answer to a call that changes nothing, as the chain is now. */
export type ContractAnswer =
  | { readonly type: 'said'; readonly data: Hex }
  | { readonly type: 'failed'; readonly why: string }

export type Chains = {
  /** Whether the operator named it. */
  readonly has: (chainId: number) => boolean
  readonly ask: (
    contract: { readonly chainId: number; readonly address: Address; readonly data: Hex },
    signal: AbortSignal,
  ) => Promise<ContractAnswer>
  /** The same at an address of somebody else's choice: an app's own. */
  readonly askAt: (
    node: ChainNode,
    contract: { readonly address: Address; readonly data: Hex },
    signal: AbortSignal,
  ) => Promise<ContractAnswer>
  /** Whether the contract of this address takes the signature: ERC-1271, or ERC-6492 where it is not there yet. */
  readonly verifyMessage: (signed: SignedMessage, signal: AbortSignal) => Promise<SignatureAnswer>
}

export const chains = registryKey<Chains>('the chains')

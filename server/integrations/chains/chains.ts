/** Read access to the chains for which the operator configured an RPC node. */
import type { Address, Hex } from 'viem'
import { registryKey } from '../../kernel/registry.ts'
import type { AppNodes } from './environment.ts'
import type { ChainNode, NodeAnswer, RpcCall } from './node.ts'

export { chainEnvironment, listNodes, missingForChain } from './environment.ts'

export {
  type ChainNode,
  callNode,
  isContractError,
  type RpcCall,
  type RpcError,
  toChainId,
  toClusterNode,
} from './node.ts'

export type SignedMessage = {
  chainId: number
  address: Address
  message: string
  signature: Hex
}

/** `failed`: the RPC node returned no result, so the validity is unknown. */
export type SignatureAnswer =
  | { type: 'right' }
  | { type: 'wrong' }
  | { type: 'unknown-chain' }
  | { type: 'failed'; why: string }

/** The result of an `eth_call` at the latest block. */
export type ContractAnswer = { type: 'said'; data: Hex } | { type: 'failed'; why: string }

export type Chains = {
  /** Returns whether an RPC node is configured for the chain. */
  has: (chainId: number) => boolean
  /** Returns the operator's node of a chain, or else the nodes that the app configured, in order. */
  listNodes: (app: AppNodes, chainId: string) => ChainNode[]
  callContract: (
    contract: { chainId: number; address: Address; data: Hex },
    signal: AbortSignal,
  ) => Promise<ContractAnswer>
  /** Like `callContract`, but at this node. */
  callContractAt: (
    node: ChainNode,
    contract: { address: Address; data: Hex },
    signal: AbortSignal,
  ) => Promise<ContractAnswer>
  /** Calls a method of the configured RPC node. Throws without one, or without its answer. */
  call: (chainId: number, call: RpcCall, signal: AbortSignal) => Promise<NodeAnswer>
  /** Verifies a signature of a contract wallet by ERC-1271, or by ERC-6492 if the wallet is not deployed yet. */
  verifyMessage: (signed: SignedMessage, signal: AbortSignal) => Promise<SignatureAnswer>
}

export const chains = registryKey<Chains>('the chains')

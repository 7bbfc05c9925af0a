/** The payers of the fees of users, and the chains on which an app uses them. */

export type { PaymasterServices } from './environment.ts'
export {
  bytes,
  createClusterCaller,
  createNodeCaller,
  type NodeCaller,
  quantity,
  toBundlerCaller,
  toPaymasterCaller,
} from './node.ts'
export { createRelay, sponsors } from './relay.ts'
export { createKora, createSolanaRelay, type SolanaPayer } from './solana-payers.ts'
export { requireRelay, requireSolanaPayer, requireSponsored } from './sponsored.ts'

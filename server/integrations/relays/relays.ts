/** The payers of the fees of users, and the chains on which an app uses them. */
export {
  bytes,
  createNodeCaller,
  type NodeCaller,
  quantity,
  toBundlerCaller,
  toPaymasterCaller,
} from './node.ts'
export { createRelay, type PaymasterServices, sponsors } from './relay.ts'
export { requireRelay, requireSponsored } from './sponsored.ts'

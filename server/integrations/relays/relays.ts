/** The operator's accounts that pay the fees of users, and the chains on which an app uses them. */
export { bytes, createNodeCaller, type NodeCaller, quantity } from './node.ts'
export { createRelay, relays } from './relay.ts'
export { requireSponsored } from './sponsored.ts'

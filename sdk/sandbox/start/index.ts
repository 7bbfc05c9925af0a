export { freePorts, type Ports, parsePorts, portsFrom } from '../programs/ports.ts'
export { createRelays, environmentAtSandbox, solanaRelayKeypair } from '../programs/third-parties.ts'
export { runByControl } from './control.ts'
export { createInbox, type Inbox, type Message, openInbox, openPhone } from './inbox.ts'
export {
  defaultAppId,
  type Product,
  type ProductAddresses,
  type ProductOptions,
  productAddresses,
  startProduct,
} from './product.ts'
export { type Chain, chainAt, setFaults } from './third-parties.ts'

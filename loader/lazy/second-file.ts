/** The second file: what few pages need, loaded when it is first used. */
export { askWallet } from '@latchkey/protocol/host-page'
export { askOf, readAnswer } from './calls.ts'
export { hear } from './events.ts'
export { serveProvider } from './provider/provider.ts'
export { findOutWhy } from './why-unreachable.ts'

/** The exports of the second file, which is loaded on first use. */
export { askWallet } from '@latchkey/protocol/host-page'
export { callOf, readAnswer } from './calls.ts'
export { receiveEvent } from './events.ts'
export { serveProvider } from './provider/provider.ts'
export { findOutWhy } from './why-unreachable.ts'

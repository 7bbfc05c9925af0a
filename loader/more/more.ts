/** The second file: what few pages need, loaded when it is first used. */
export { askOf, readAnswer } from './calls.ts'
export { readEvent } from './events.ts'
export { askWallet, findWallets } from './host-wallets.ts'
export { findOutWhy } from './why-unreachable.ts'

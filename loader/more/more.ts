/** The second file: what few pages need, loaded when it is first used. */
export { askWallet, findWallets } from './host-wallets.ts'
export { findOutWhy } from './why-unreachable.ts'

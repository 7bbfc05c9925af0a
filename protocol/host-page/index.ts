/** Answers of the host page to the dialog. Used by the loader, and by the standalone dialog. */
export { askWallet, connectedWallet, findWallets } from './host-wallets.ts'

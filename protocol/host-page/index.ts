/** What a page on which a dialog stands answers it: run by the loader, and by a dialog that is a page of its own. */
export { askWallet, connectedWallet, findWallets } from './host-wallets.ts'

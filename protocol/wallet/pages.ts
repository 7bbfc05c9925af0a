/** Pages of the wallet's origin that the dialog frames, by the end of their path. None has a network. */
export const walletPages = ['import'] as const
export type WalletPage = (typeof walletPages)[number]

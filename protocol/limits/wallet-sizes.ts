/** How long and how big what belongs to a wallet is. */
export const walletSizes = {
  entropyBytes: 16,
  importedKeyBytes: 32,
  sharesTotal: 3,
  sharesNeeded: 2,
  maxMessageBytes: 64 * 1024,
  /** More than a block of any chain takes of one. */
  maxTransactionBytes: 128 * 1024,
} as const

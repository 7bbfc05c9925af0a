/** Sizes of wallet data. */
export const walletSizes = {
  entropyBytes: 16,
  importedKeyBytes: 32,
  sharesTotal: 3,
  sharesNeeded: 2,
  maxMessageBytes: 64 * 1024,
  /** Above the limit of any chain's transactions. */
  maxTransactionBytes: 128 * 1024,
  /** A packet of Solana's network. */
  maxSolanaTransactionBytes: 1_232,
} as const

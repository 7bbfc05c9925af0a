export const hostWalletLimits = {
  /** Extensions answer within their event, or within a message of theirs. */
  answerMs: 100,
  maxWallets: 32,
  maxNameLength: 100,
  maxIconLength: 6_000,
} as const

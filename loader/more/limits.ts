/** What the second file decides by: in the first, every page would load it. */
export const hostWalletLimits = {
  /** Extensions answer within their event, or within a message of theirs. */
  answerMs: 100,
  maxWallets: 32,
  maxNameLength: 100,
  maxIconLength: 6_000,
  /** A longer address of the page is not told. */
  maxPageLength: 2_048,
} as const

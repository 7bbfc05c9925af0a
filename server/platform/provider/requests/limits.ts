/** What other apps ask of wallets. */
export const crossAppServerLimits = {
  spendingSeconds: 86_400,
  /** A process that sends a transaction has heard of its chain by then, or does not run any more. */
  abandonedSeconds: 30,
} as const

export const appLimits = {
  directoryFreshMs: 1_000,
  directorySize: 1_000,
  /** Where one chain is asked: if the first does not answer, the next is. */
  maxRpcUrls: 5,
  maxChains: 100,
  maxChainNameLength: 64,
  maxSymbolLength: 16,
  /** The highest limit in dollars that an operator can set. */
  maxUsdPerDay: 1_000_000_000,
  /** The highest limit, as a number of times, that an operator can set. */
  maxTimesPerDay: 1_000_000,
  /** Calls, or kinds of typed data, in one list of an app. */
  maxListed: 100,
  maxNewMethodHours: 30 * 24,
  /** Addresses and numbers with a fixed code, in one app. */
  maxTestAccounts: 20,
} as const

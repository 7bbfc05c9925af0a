export const appLimits = {
  directoryFreshMs: 1_000,
  directorySize: 1_000,
  /** Where one chain is asked: if the first does not answer, the next is. */
  maxRpcUrls: 5,
  maxChains: 100,
  maxChainNameLength: 64,
  maxSymbolLength: 16,
  /** Of a limit that an operator sets, in dollars. */
  maxUsdPerDay: 1_000_000_000,
  /** Of a limit that an operator sets as a number of times. */
  maxTimesPerDay: 1_000_000,
  /** Calls, or kinds of typed data, in one list of an app. */
  maxListed: 100,
  maxNewMethodHours: 30 * 24,
} as const

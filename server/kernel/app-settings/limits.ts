export const appLimits = {
  directoryFreshMs: 1_000,
  directorySize: 1_000,
  /** RPC nodes of one chain, tried in order. */
  maxRpcUrls: 5,
  maxChains: 100,
  maxChainNameLength: 64,
  maxSymbolLength: 16,
  /** The highest USD limit that an operator can set. */
  maxUsdPerDay: 1_000_000_000,
  /** The highest count per day that an operator can set. */
  maxTimesPerDay: 1_000_000,
  /** Entries in one list of calls or typed data. */
  maxListed: 100,
  maxNewMethodHours: 30 * 24,
  /** Test accounts with a fixed code, per app. */
  maxTestAccounts: 20,
  maxMetadataKeyLength: 64,
  maxTokenMetadataKeys: 20,
} as const

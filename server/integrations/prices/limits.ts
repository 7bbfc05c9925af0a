export const priceLimits = {
  deadlineMs: 3_000,
  /** The age of a price by the feed's own time. */
  oldestSeconds: 600,
  cachedMs: 60_000,
  /** A feed that gave no price is not asked by everybody who comes next. */
  failureKeptMs: 5_000,
} as const

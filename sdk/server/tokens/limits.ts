export const tokenLimits = {
  /** A token of Latchkey has some 500 characters. A longer text is not read. */
  tokenCharacters: 4_096,
  /** How far the clocks of the two servers may differ. */
  clockToleranceSeconds: 5,
} as const

export const keySetLimits = {
  fetchDeadlineMs: 5_000,
  /** How long a key set is used where its response names no time. */
  defaultMaxAgeSeconds: 300,
  longestMaxAgeSeconds: 86_400,
  /** Tokens that name unknown keys cause no more fetches than this. */
  fetchAtMostEveryMs: 5_000,
  /** A key set that cannot be fetched again is used this much longer, so that a restart of the issuer logs nobody out. */
  staleSeconds: 600,
} as const

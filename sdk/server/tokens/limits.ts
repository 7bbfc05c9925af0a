export const tokenLimits = {
  /** Tokens have about 500 characters. Longer ones are not parsed. */
  tokenCharacters: 4_096,
  /** The allowed difference between the clocks of both servers. */
  clockToleranceSeconds: 5,
} as const

export const keySetLimits = {
  fetchDeadlineMs: 5_000,
  /** The default lifetime of a key set, if the response has none. */
  defaultMaxAgeSeconds: 300,
  longestMaxAgeSeconds: 86_400,
  /** The minimum interval between fetches, also for unknown keys. */
  fetchAtMostEveryMs: 5_000,
  /**
   * How long an expired key set is used if it cannot be fetched, so that a restart of the issuer breaks no
   * session.
   */
  staleSeconds: 600,
} as const

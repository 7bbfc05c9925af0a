/** Numbers that only the server knows, with their units. What a browser should know too is in `protocol`. */

export const databaseLimits = {
  /** SQLite waits inside one call, which stops the whole process: so it waits shortly and we ask again. */
  sqliteBusyTimeoutMs: 20,
  retryFirstDelayMs: 4,
  retryLongestDelayMs: 200,
  /** After this a call is answered with `unavailable`, well before the browser gives up at 20 s. */
  transactionDeadlineMs: 8_000,
  cachedStatements: 500,
  /** Changes that share one wait for the disk. */
  writeGroupMembers: 64,
  postgresConnections: 16,
  postgresConnectMs: 5_000,
  cleanupIntervalMs: 60_000,
  cleanupBatchRows: 500,
  cleanupBatchesPerRun: 20,
  /** How long what is of no more use is kept for those who look into an incident. */
  endedSessionSeconds: 7 * 86_400,
  analyticsSeconds: 90 * 86_400,
  auditSeconds: 365 * 86_400,
  knownBrowserSeconds: 180 * 86_400,
} as const

export const keyLimits = {
  /** A rotated signing key verifies as long as any token that it signed may live, and the skew. */
  signingOverlapSeconds: 3_600,
  /** A new key is known everywhere before anything needs it: longer than `keyringIntervalMs`. */
  publishedBeforeUseSeconds: 120,
  keyringIntervalMs: 60_000,
  /** A rotated sealing key opens what browsers sealed to it a moment ago. */
  sealingOverlapSeconds: 86_400,
  /** Unknown key ids make the keyring look again, but not more often than this. */
  refreshAtMostEveryMs: 5_000,
  jwksMaxAgeSeconds: 300,
} as const

export const appLimits = { directoryFreshMs: 1_000, directorySize: 1_000 } as const

export const attemptSlots = { slotsUpTo: 32 } as const

export const analyticsLimits = { maxPayloadLength: 4_096, eventsPerMinute: 3_000 } as const

export const shutdownLimits = { inFlightMs: 10_000, sweepMs: 50 } as const

export const pageLimits = {
  loaderAliasMaxAgeSeconds: 300,
  immutableMaxAgeSeconds: 31_536_000,
  hstsMaxAgeSeconds: 63_072_000,
  preflightMaxAgeSeconds: 600,
  buildSettlesMs: 300,
  /** Pages are made once for each app and origin. */
  madePages: 500,
  /** A page is small and made while somebody waits: more quality takes three times as long for the same size. */
  pageBrotliQuality: 5,
} as const

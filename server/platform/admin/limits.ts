/** Limits of the Admin API that its callers do not see. */
export const adminServerLimits = {
  defaultKeyDays: 90,
  longestKeyDays: 365,
  maxNameLength: 64,
  mostNetworks: 32,
  /** Rejected keys per client address. */
  rejectedKeys: { limit: 60, windowSeconds: 600 },
  callsWindowSeconds: 60,
  /** Longer than any key lives, so that the log covers the whole life of each key. */
  auditKeptSeconds: 400 * 86_400,
  /** Revoked and expired keys stay in the list for this long. */
  keyKeptSeconds: 400 * 86_400,
  /** Ended and expired proposals stay in the list for this long. */
  proposalKeptSeconds: 400 * 86_400,
  /** Audit rows per read of a verification or a stream. */
  auditBatchRows: 1_000,
} as const

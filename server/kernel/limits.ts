/** Limits of the server that belong to no single capability. Limits that browsers need are in `protocol`. */
import { emailLimits, serverLimits } from '@latchkey/protocol'

export const databaseLimits = {
  /** SQLite's busy wait blocks the whole process, so it is short and retries are asynchronous. */
  sqliteBusyTimeoutMs: 20,
  retryFirstDelayMs: 4,
  retryLongestDelayMs: 200,
  /** Afterwards a call fails with `unavailable`, well before the browser's timeout of 20 s. */
  transactionDeadlineMs: 8_000,
  cachedStatements: 500,
  /** Maximum rows per batched read. */
  batchReadKeys: 500,
  /** Maximum changes per group commit. */
  writeGroupMembers: 64,
  /** The default of `DATABASE_CONNECTIONS`. */
  postgresConnections: 16,
  postgresConnectMs: 5_000,
  /** PostgreSQL reports a statement timeout itself. Without any response for this much longer, it is unreachable. */
  postgresSilenceMs: 2_000,
  /** Machine clocks drift by some milliseconds in this time. */
  clockIntervalMs: 60_000,
  clockAnswerMs: 500,
  cleanupIntervalMs: 60_000,
  /** Below the interval, so that a backlog is processed almost continuously. */
  cleanupRunMs: 50_000,
  /** A batch blocks all writers on SQLite, so it is small enough to take only some milliseconds. */
  cleanupBatchRows: { sqlite: 250, postgres: 1_000 },
  /** Rows per delete statement. */
  deleteStatementRows: 250,
  cleanupLongestRestMs: 20,
} as const

export const migrationLimits = {
  /** A migrating process that has not renewed its lease for this long is considered dead. */
  leaseMs: 60_000,
  renewLeaseMs: 15_000,
  pollLeaseMs: 500,
  /** Indexing a large table may take hours. A process that waited this long exits with an error and is restarted. */
  waitForLeaseMs: 600_000,
  /** A schema change waits for the users of its table, and later queries queue behind it. Short, and then retried. */
  lockTimeoutMs: 2_000,
  retryLockMs: 1_000,
  lockDeadlineMs: 300_000,
} as const

/** Retention of data that is only needed to investigate incidents. */
export const retentionLimits = {
  /** The default of the app setting: for the row of a deleted user and their audit entries. */
  deletedUserDays: 30,
  longestDeletedUserDays: 3_650,
} as const

/** Deadlines for third parties. They are below the time that a retried call waits for the first one. */
export const askLimits = {
  deadlineMs: 12_000,
  /** Above the SMTP timeout, so that the mail server's own error is reported. */
  mailDeadlineMs: emailLimits.sendTimeoutMs + 1_000,
  /** Added to the deadline of the call that the captcha protects. */
  captchaDeadlineMs: 2_500,
} as const

/** Size limits for responses of third parties. */
export const answerLimits = {
  /** Typical responses (profile, key set, price) have some kB. */
  maxBytes: 1_048_576,
  /** Applies to untrusted servers that an operator configured: tokens, keys, descriptions. */
  maxUntrustedBytes: 262_144,
  /** Applies to RPC nodes. A contract call returns one word, but a node may wrap it in much more. */
  maxChainBytes: 4 * 1_048_576,
} as const

/** Limits of long polling: window results, approvals on a phone. */
export const waitingLimits = {
  /** All waiting calls of a process poll at the same moments. */
  pollEveryMs: 500,
  /** Open calls per address and process: an office of three hundred people logs in at once. */
  openPerAddress: 300,
  /** The `retry-after` of calls above that limit. Most waits end within seconds. */
  retryAfterSeconds: 5,
} as const

/** The subject that an operator's issuer assigns to a user, in tokens and allowlists. */
export const subjectLimits = { maxLength: 255 } as const

/** A process that has not finished a call by then is considered dead. */
export const leaseLimits = {
  /** Added to the ask's deadline: for the deciding transaction, or for the statement that stores the outcome. */
  decideMs: databaseLimits.transactionDeadlineMs + 2_000,
  keepMs: 2_000,
  performMs: 20_000,
} as const

/** A retried call polls the row of the first with growing pauses. */
export const waitLimits = { waitMs: serverLimits.replayWaitMs, pollFirstMs: 25, pollLongestMs: 400 } as const

export const keyLimits = {
  /** A retired signing key verifies for the longest token lifetime plus clock skew. */
  signingOverlapSeconds: 3_600,
  /**
   * Ensures that a new key is known everywhere before it is used. Processes refresh their keys each
   * `keyringIntervalMs`, caches may keep the key set for `jwksMaxAgeSeconds`, and libraries in host backends, such as
   * `jose`, for ten minutes more.
   */
  publishedBeforeUseSeconds: 1_200,
  keyringIntervalMs: 60_000,
  /** A server that has not renewed its row for this long is considered stopped. It renews each `keyringIntervalMs`. */
  runningServerSeconds: 180,
  /** A retired sealing key still opens shares that browsers sealed shortly before. */
  sealingOverlapSeconds: 86_400,
  /** Minimum time between refreshes that unknown key ids trigger. */
  refreshAtMostEveryMs: 5_000,
  /** A replaced master key is kept for servers that were still writing with it. */
  masterKeyKeptSeconds: 600,
  /** Values that do not name their pepper live for at most ten minutes (`isPepperUsed`). */
  retiredPepperSeconds: 600,
  /** Rows per read while all wrapped values get a new master key. */
  rewrapBatchRows: 500,
  jwksMaxAgeSeconds: 300,
  /** Size of the cache of imported browser keys. */
  importedKeys: 2_000,
} as const

export const attemptSlots = { slotsUpTo: 32 } as const

/** Rate limits per address and ten minutes: three hundred complete logins, each with one failed attempt. */
export const addressLimits = {
  windowSeconds: 600,
  /** A login with its wallet takes 4 changes; a resent or mistyped code, a reload and a signature take 6 more. */
  changes: 3_000,
  /** Analytics events. */
  counts: 6_000,
  reads: 6_000,
  /** Rendered pages: a dialog and its wallet frame are 2, a window or a confirmation page 1 more. */
  pages: 3_000,
  /** Seconds of open calls: a hundred per login. */
  waits: 30_000,
  /** Portion size. Each limit is a multiple of it. */
  portionSize: 20,
  /** Addresses with their remaining quota in memory, by last use. */
  cachedAddresses: 10_000,
} as const

export const forwardingLimits = { warnEveryMs: 60_000 } as const

export const logLimits = { bufferedBytes: 4_096, flushMs: 100, lastFlushMs: 1_000 } as const

/** The shortest value that HTTP allows: most overloads end sooner. */
export const failureLimits = { retryAfterSeconds: 1 } as const

export const shutdownLimits = {
  /** The default of `DRAIN_MS`. A load balancer that polls every two seconds has noticed by then. */
  drainMs: 5_000,
  inFlightMs: 10_000,
  sweepMs: 50,
} as const

export const pageLimits = {
  loaderAliasMaxAgeSeconds: 300,
  immutableMaxAgeSeconds: 31_536_000,
  hstsMaxAgeSeconds: 63_072_000,
  preflightMaxAgeSeconds: 600,
  buildSettlesMs: 300,
  /** Rendered pages are cached per app and origin. */
  madePages: 500,
  /** A page is small and compressed while a user waits: higher quality takes three times as long for the same size. */
  pageBrotliQuality: 5,
} as const

/** Numbers that only the server knows, and that are no one capability's own, with their units. What a browser should know too is in `protocol`. */
import { emailLimits, serverLimits } from '@latchkey/protocol'

export const databaseLimits = {
  /** SQLite waits inside one call, which stops the whole process: so it waits shortly and we ask again. */
  sqliteBusyTimeoutMs: 20,
  retryFirstDelayMs: 4,
  retryLongestDelayMs: 200,
  /** After this a call is answered with `unavailable`, well before the browser gives up at 20 s. */
  transactionDeadlineMs: 8_000,
  cachedStatements: 500,
  /** Rows that many wait for, in one statement. */
  readTogether: 500,
  /** Changes that share one wait for the disk. */
  writeGroupMembers: 64,
  /** Unless `DATABASE_CONNECTIONS` says otherwise. */
  postgresConnections: 16,
  postgresConnectMs: 5_000,
  /** PostgreSQL ends a statement at its deadline and says so; after so long without a word it is gone. */
  postgresSilenceMs: 2_000,
  /** Clocks of machines drift by some milliseconds in this time. */
  clockIntervalMs: 60_000,
  clockAnswerMs: 500,
  cleanupIntervalMs: 60_000,
  /** Below the interval, so that a backlog is worked on nearly all the time. */
  cleanupRunMs: 50_000,
  /** A batch blocks everybody on an embedded database, so it takes only some milliseconds there. */
  cleanupBatchRows: { sqlite: 250, postgres: 1_000 },
  /** How many of a batch one statement deletes. */
  deleteTogether: 250,
  cleanupLongestRestMs: 20,
} as const

export const migrationLimits = {
  /** Who migrates is taken for dead when they have not renewed their lease for so long. */
  leaseMs: 60_000,
  renewLeaseMs: 15_000,
  lookForLeaseMs: 500,
  /** To index a large table takes hours; who waits for it so long starts again, and says so in the log. */
  waitForLeaseMs: 600_000,
  /** A change of a table waits for those who use it, and all who come later wait for it: so it waits shortly, and tries again. */
  lockTimeoutMs: 2_000,
  retryLockMs: 1_000,
  giveUpOnLockMs: 300_000,
} as const

/** How long what is of no more use is kept, for those who look into an incident. */
export const keptLimits = {
  /** Unless the app says otherwise: the row of a deleted user, and what was written down about them. */
  deletedUserDays: 30,
  longestDeletedUserDays: 3_650,
} as const

/** How long somebody outside may take to answer: below what a second try waits for. */
export const askLimits = {
  deadlineMs: 12_000,
  /** Above what the mail server itself is given, so that its own failure is the one that is told. */
  mailDeadlineMs: emailLimits.sendTimeoutMs + 1_000,
  /** It comes on top of the deadline of what the captcha stands before. */
  captchaDeadlineMs: 2_500,
} as const

/** Limits of what other servers answer. */
export const answerLimits = {
  /** A profile, a set of keys, a price: some kB. */
  maxBytes: 1_048_576,
  /** The limit for a server that an operator named and that is not trusted: tokens, keys, a description. */
  maxStrangerBytes: 262_144,
  /** What a contract says of a signature is a word; a node may wrap it in much. */
  maxChainBytes: 4 * 1_048_576,
} as const

/** Calls that are held open until something comes: the result of a window, an approval on a phone. */
export const waitingLimits = {
  /** All that wait in a process look at the same moments. */
  lookEveryMs: 500,
  /** The limit for one address in one process: an office of three hundred people logs in at once. */
  openPerAddress: 300,
  /** The `retry-after` of calls above that limit: most waits are over within seconds. */
  retryAfterSeconds: 5,
} as const

/** The name that an operator's issuer has for a user, in a token and on an allowlist. */
export const subjectLimits = { maxLength: 255 } as const

/** Whoever works on a call is taken for dead after this. */
export const leaseLimits = {
  /** The time on top of an ask's deadline for the transaction that decides, or for the statement that it is over. */
  decideMs: databaseLimits.transactionDeadlineMs + 2_000,
  keepMs: 2_000,
  performMs: 20_000,
} as const

/** A second try reads the row of the first at growing pauses. */
export const waitLimits = { waitMs: serverLimits.replayWaitMs, pollFirstMs: 25, pollLongestMs: 400 } as const

export const keyLimits = {
  /** A rotated signing key verifies as long as any token that it signed may live, and the skew. */
  signingOverlapSeconds: 3_600,
  /**
   * A new key is known everywhere before anything needs it. It is published once a process has looked
   * (`keyringIntervalMs`), a cache on the way may keep the key set before it for `jwksMaxAgeSeconds`, and the library
   * of a host's backend for ten minutes more, as `jose` does.
   */
  publishedBeforeUseSeconds: 1_200,
  keyringIntervalMs: 60_000,
  /** A server that has not said so long which keys it has does not run any more. It says it each `keyringIntervalMs`. */
  runningServerSeconds: 180,
  /** A rotated sealing key opens what browsers sealed to it a moment ago. */
  sealingOverlapSeconds: 86_400,
  /** Unknown key ids make the keyring look again, but not more often than this. */
  refreshAtMostEveryMs: 5_000,
  /** A master key that was rotated out stays for what a server that had not looked was writing: ten minutes. */
  masterKeyKeptSeconds: 600,
  /** What is made with a pepper lives for ten minutes, or its row says which it was (`isPepperNamed`). */
  retiredPepperSeconds: 600,
  /** The number of rows that are read at once while every wrapped value gets a new master key. */
  rewrapBatchRows: 500,
  jwksMaxAgeSeconds: 300,
  /** Public keys of browsers that are kept ready, the ones that were used last. */
  importedKeys: 2_000,
} as const

export const attemptSlots = { slotsUpTo: 32 } as const

/** What one address may do in ten minutes: three hundred complete logins, each with a try that went wrong. */
export const addressLimits = {
  windowSeconds: 600,
  /** A login with its wallet is 4 changes; a code sent anew or mistyped, a reload, a signature are 6 more. */
  changes: 3_000,
  /** Events for the counts of an app. */
  counts: 6_000,
  reads: 6_000,
  /** Pages that are made for an app: a dialog and its wallet are 2, a window or a confirmation 1 more. */
  pages: 3_000,
  /** Seconds that calls are held open: of each login a hundred. */
  waits: 30_000,
  /** Each limit is a multiple of it. */
  takenAtOnce: 20,
  /** Addresses whose room is remembered, the ones that took some last. */
  knownAddresses: 10_000,
} as const

export const forwardingLimits = { warnEveryMs: 60_000 } as const

export const logLimits = { bufferedBytes: 4_096, flushMs: 100 } as const

/** The shortest that HTTP can say: most of what makes a server busy is over sooner. */
export const failureLimits = { retryAfterSeconds: 1 } as const

export const shutdownLimits = {
  /** Unless `DRAIN_MS` says otherwise: a balancer that asks every two seconds has noticed by then. */
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
  /** Pages are made once for each app and origin. */
  madePages: 500,
  /** A page is small and made while somebody waits: more quality takes three times as long for the same size. */
  pageBrotliQuality: 5,
} as const

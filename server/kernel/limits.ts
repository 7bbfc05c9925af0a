/** Numbers that only the server knows, with their units. What a browser should know too is in `protocol`. */
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
  cleanupIntervalMs: 60_000,
  /** Below the interval, so that a backlog is worked on nearly all the time. */
  cleanupRunMs: 50_000,
  /** On an embedded database everybody waits for a batch: some milliseconds. */
  cleanupBatchRows: { sqlite: 250, postgres: 1_000 },
  cleanupLongestRestMs: 20,
} as const

/** How long what is of no more use is kept, for those who look into an incident. */
export const keptLimits = {
  endedSessionSeconds: 7 * 86_400,
  analyticsSeconds: 90 * 86_400,
  auditSeconds: 365 * 86_400,
  /** A payment may be looked into, and may come back, for months. */
  fundingSeconds: 180 * 86_400,
  knownBrowserSeconds: 180 * 86_400,
  /** Unless the app says otherwise: the row of a deleted user, and what was written down about them. */
  deletedUserDays: 30,
  longestDeletedUserDays: 3_650,
} as const

export const cleanupLimits = {
  /** Of those who were deleted, each with what there is of them. */
  usersARun: 500,
} as const

/** How long somebody outside may take to answer: below what a second try waits for. */
export const askLimits = {
  deadlineMs: 12_000,
  /** Above what the mail server itself is given, so that its own failure is the one that is told. */
  mailDeadlineMs: emailLimits.sendTimeoutMs + 1_000,
  /** It comes on top of the deadline of what the captcha stands before. */
  captchaDeadlineMs: 2_500,
} as const

/** Of what others answer. */
export const answerLimits = {
  /** A profile, a set of keys, a price: some kB. */
  maxBytes: 1_048_576,
  /** Of somebody whom an operator named and who is trusted with nothing: tokens, keys, a description. */
  maxStrangerBytes: 262_144,
  /** What a contract says of a signature is a word; a node may wrap it in much. */
  maxChainBytes: 4 * 1_048_576,
} as const

export const oauthClientLimits = {
  /** How long a secret holds that is signed anew for each call: Apple takes half a year. */
  secretSeconds: 300,
} as const

export const farcasterClientLimits = {
  /** One look at a channel: the browser looks again soon. */
  pollDeadlineMs: 5_000,
  /** A relay that takes no more calls does not say until when. */
  tooManySeconds: 60,
} as const
/** What a user may have asked of Farcaster in the name of the operator's account. */
export const signerRequestLimits = { perDay: 30, daySeconds: 24 * 60 * 60 } as const
/** Payments by card. */
export const fundingServerLimits = {
  /** Of one user, each with a name at the provider. */
  perDay: 30,
  daySeconds: 86_400,
  /** The browser asks again in 3 s. */
  statusDeadlineMs: 6_000,
  /** What the provider told by itself stands for so long before it is asked. */
  heardFreshSeconds: 30,
  /** How far the time of what a provider signed may be off. */
  webhookToleranceSeconds: 300,
} as const
/** Of a provider of wallets. */
export const providerLimits = {
  /** The user may have to log in, and to bring their wallet. */
  interactionSeconds: 600,
  codeSeconds: 60,
  idTokenSeconds: 3_600,
  accessTokenSeconds: 15 * 60,
  /** Each time that it is used there is a new one, for as long again. */
  refreshTokenSeconds: 30 * 86_400,
  /** After this the user is asked again. */
  grantSeconds: 365 * 86_400,
  /** A connected app that was ended. */
  endedSeconds: 7 * 86_400,
  maxRedirectAddresses: 10,
  /** Providers of apps that a process keeps ready. */
  readyProviders: 200,
} as const
/** Calls that are held open until something comes: the result of a window, an approval on a phone. */
export const waitingLimits = {
  /** All that wait in a process look at the same moments. */
  lookEveryMs: 500,
  /** Of one address in one process: an office of three hundred people logs in at once. */
  openPerAddress: 300,
  /** Said to whoever comes above that: most waits are over within seconds. */
  retryAfterSeconds: 5,
} as const

/** Of the provider of a wallet that is used here. */
export const crossAppClientLimits = {
  longestName: 100,
  longestAddress: 2_048,
  /** As OpenID Connect has it. */
  longestSubject: 255,
  longestToken: 4_096,
  /** Connected wallets that one account says. */
  mostWallets: 20,
  /** It is told after the answer was decided, while a lease runs. */
  revocationDeadlineMs: 5_000,
  /** Providers of one app. */
  mostProviders: 50,
} as const

export const customJwtLimits = {
  /** Of a name that an operator's issuer has for a user. */
  longestSubject: 255,
  /** Key sets of operators that are kept, with their keys. */
  keySets: 1_000,
} as const

/** Whoever works on a call is taken for dead after this. */
export const leaseLimits = {
  /** On top of an ask's deadline: the transaction that decides, or the statement that says that it is over. */
  decideMs: databaseLimits.transactionDeadlineMs + 2_000,
  keepMs: 2_000,
  performMs: 20_000,
} as const

/** A second try reads the row of the first at growing pauses. */
export const waitLimits = { waitMs: serverLimits.replayWaitMs, pollFirstMs: 25, pollLongestMs: 400 } as const

/** How long a link takes back what it came with, at least. */
export const newMethodLimits = { linkSeconds: 72 * 3_600 } as const

/** What no contact of a user took is kept for their next login, and no longer than somebody stays away. */
export const noticeLimits = {
  perUser: 10,
  keptSeconds: 365 * 86_400,
  /** Of one user: each is paid for. */
  texts: { limit: 10, windowSeconds: 86_400 },
} as const

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
  /** Read at once while every wrapped value gets a new master key. */
  rewrapBatchRows: 500,
  jwksMaxAgeSeconds: 300,
  /** Public keys of browsers that are kept ready, the ones that were used last. */
  importedKeys: 2_000,
} as const

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

/** Below the interval of any balancer. */
export const healthLimits = { rememberedMs: 500 } as const

export const forwardingLimits = { warnEveryMs: 60_000 } as const

export const codeLimits = {
  /** Guesses of a network at codes that nobody sent it: they cost the address nothing, and can not win. */
  strayGuessesPerWindow: 50,
  /**
   * Wrong guesses of a network at codes that it had sent. In any 24 hours they are at most twice the day's, for a count
   * starts anew: 800 in a million codes. `docs/security.md` computes what that wins.
   */
  wrongGuessesPerWindow: 100,
  wrongGuessesPerDay: 400,
  /** The same of one session, or of a browser without one, whatever it links or logs in with. */
  sessionGuessesPerWindow: 10,
  sessionGuessesPerDay: 30,
  /** Codes sent for one session or browser: four addresses with all that each may be sent. */
  sessionSendsPerWindow: 20,
  sessionSendsPerDay: 60,
  /** Codes by mail of one network: as many as logins that an address may complete in ten minutes. */
  sendsPerWindow: 300,
  sendsPerDay: 3_000,
  /** Codes that somebody is paid for, of one network: a hundred people of an office log in at once. */
  paidSendsPerWindow: 100,
  paidSendsPerDay: 500,
} as const

export const analyticsLimits = {
  maxPayloadLength: 4_096,
  eventsPerMinute: 3_000,
  /** Of one app; above it the oldest go. */
  keptBytesPerApp: 64 * 1_048_576,
  /** Of a row beside its payload, with its place in the indexes. */
  bytesBesidePayload: 300,
} as const

export const logLimits = { bufferedBytes: 4_096, flushMs: 100 } as const

export const connectionLimits = {
  /** Longer than proxies keep theirs (60 to 75 s), or one sends a call into a connection that is just being closed. */
  keepAliveMs: 90_000,
  /** The whole of a call's headers. */
  headersMs: 20_000,
  /** And its body with them: the largest is a few hundred kB. */
  requestMs: 60_000,
} as const

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

export const mfaServerLimits = {
  totpStepSeconds: 30,
  /** How far the clock of an authenticator app may be off, in steps. */
  totpWindowSteps: 1,
  /** As long as the hash: RFC 4226, section 4. */
  totpSecretBytes: 20,
  /** So many wrong answers of a user with a method lock it, each time for longer, until one is right. */
  triesBeforeLock: 4,
  lockSeconds: [10, 60, 600, 3_600, 86_400],
  /** Wrong answers count for so long after the last of them. */
  triesKeptSeconds: 7 * 86_400,
} as const

export const confirmServerLimits = {
  /** What one session may keep waiting for its user at once. */
  openBytesPerSession: 8 * 1_048_576,
  /** Told apart from one that never was. */
  keptSeconds: 600,
  spendingSeconds: 86_400,
  /** Challenges that are made for the passkey of a wallet to approve one request; then its page asks for a code. */
  passkeyChallenges: [{ limit: 10, windowSeconds: 10 * 60 }],
  /** Somebody waits for the answer; where none comes, the fee counts without that part. */
  l1FeeDeadlineMs: 2_000,
} as const

/** What other apps ask of wallets. */
export const crossAppServerLimits = {
  spendingSeconds: 86_400,
  /** A process that sends a transaction has heard of its chain by then, or does not run any more. */
  abandonedSeconds: 30,
} as const

export const priceLimits = {
  deadlineMs: 3_000,
  /** By the feed's own time. */
  oldestSeconds: 600,
  cachedMs: 60_000,
  /** A feed that gave no price is not asked by everybody who comes next. */
  failureKeptMs: 5_000,
} as const

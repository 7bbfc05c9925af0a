/** Every number that decides something, with its unit in its name. Grouped by what it limits. */

const SECOND = 1_000
const MINUTE = 60 * SECOND
const DAY_SECONDS = 86_400

/** Messages between windows. */
export const channelLimits = {
  protocolVersion: 1,
  oldestProtocolVersion: 1,
  handshakeDeadlineMs: 10 * SECOND,
  callDeadlineMs: 20 * SECOND,
  /** A call that was taken back is answered at once; one whose answer does not come ends without it. */
  cancelDeadlineMs: 2 * SECOND,
  /** A person may look for a code in their mail for long, but not for ever. */
  userCallDeadlineMs: 30 * MINUTE,
  pulseIntervalMs: 5 * SECOND,
  pulseDeadlineMs: 10 * SECOND,
  maxMessageBytes: 64 * 1024,
  maxTypedDataBytes: 256 * 1024,
  /** Typed data as it was read, whose numbers may be longer than they were written, and what goes with it. */
  maxSignRequestBytes: 512 * 1024,
  /** The icons of a host's wallets are data in their addresses. */
  maxHostWalletsBytes: 256 * 1024,
  maxDepth: 16,
  maxIdLength: 64,
  rememberedIds: 10_000,
  callsPerSecond: 20,
  maxQueuedCalls: 50,
  /** What only reads a chain has room of its own: a page that reads much waits for itself alone. */
  readsPerSecond: 500,
  maxQueuedReads: 500,
  /** A receipt with hundreds of events, the logs of some blocks. */
  maxChainAnswerBytes: 4 * 1024 * 1024,
  /** To a developer, of one host's settings. */
  maxWarnings: 20,
} as const

/** Pictures that a host names. */
export const pictureLimits = {
  /** Data in its address: with all else that is told it has to fit into one message. */
  maxAddressLength: 48 * 1024,
  /** The same before it is written in base64. */
  maxBytes: 36 * 1000,
  fetchDeadlineMs: 5 * SECOND,
} as const

/** Calls from a browser to the server. */
export const apiLimits = {
  timeoutMs: 20 * SECOND,
  retries: 3,
  firstRetryDelayMs: 500,
  retryDelayFactor: 3,
  retriedStatuses: [408, 409, 425, 500, 502, 503, 504],
  maxStringLength: 4_096,
} as const

export const appLimits = {
  appIdLength: 25,
  maxNameLength: 64,
} as const

export const sessionLimits = {
  /** A token with less left than this is refreshed first. */
  activeLeftSeconds: 30,
  refreshLockDeadlineMs: 90 * SECOND,
  /** A browser may give its key store late, or never answer at all. */
  proofKeyDeadlineMs: 5 * SECOND,
  /** How long a caller of logout waits for the server; the local session is gone before. */
  logoutWaitMs: 5 * SECOND,
  /** A login has this long until the secret of its answer binds a device. */
  deviceBindingSeconds: 60,
} as const

export const smsLimits = {
  codeLength: 6,
  codeSeconds: 10 * 60,
} as const

export const emailLimits = {
  codeLength: 6,
  codeSeconds: 10 * 60,
  maxAddressLength: 254,
  wrongCodeClearsMs: 1_400,
  resendLockMs: 30 * SECOND,
  sendTimeoutMs: 10 * SECOND,
} as const

/** What may be tried how often. Windows are counted in seconds. */
export const attemptLimits = {
  guessesPerWindow: 5,
  guessWindowSeconds: 10 * 60,
  guessesPerDay: 20,
  sendsPerWindow: 5,
  sendsPerDay: 30,
  shareReleasesPerMinute: 60,
  daySeconds: DAY_SECONDS,
  minuteSeconds: 60,
} as const

export const dialogLimits = {
  successCloseMs: 1_400,
  beforeNextStepMs: 900,
  /** After a login that left the card, and after one by phone before consent. */
  beforeNextStepSocialMs: 1_400,
  authFlowResetMs: 200,
  progressAfterMs: 150,
  /** How long a card that comes with what is known here waits for the server to know better. */
  askAnewMs: 3 * SECOND,
  /** How long what takes time waits at most for a card that opens. */
  heldMs: 5 * SECOND,
  /** A phone field lists every country once the card has been there for this long, or when it is asked for them. */
  countriesAfterMs: 500,
} as const

/** Limits and timings, grouped by purpose. Each name contains its unit. */

const SECOND = 1_000
const MINUTE = 60 * SECOND
const DAY_SECONDS = 86_400

/** Window messaging. */
export const channelLimits = {
  protocolVersion: 1,
  oldestProtocolVersion: 1,
  handshakeDeadlineMs: 10 * SECOND,
  callDeadlineMs: 20 * SECOND,
  /** How long a cancelled call waits for its answer. */
  cancelDeadlineMs: 2 * SECOND,
  /** How long a call may wait for the user, for example to find a code in their mail. */
  userCallDeadlineMs: 30 * MINUTE,
  pulseIntervalMs: 5 * SECOND,
  pulseDeadlineMs: 10 * SECOND,
  maxMessageBytes: 64 * 1024,
  maxTypedDataBytes: 256 * 1024,
  /** Parsed typed data with the rest of the request. Parsed numbers may be longer than their JSON form. */
  maxSignRequestBytes: 512 * 1024,
  /** The icons of host wallets are data URLs. */
  maxHostWalletsBytes: 256 * 1024,
  maxDepth: 16,
  maxIdLength: 64,
  rememberedIds: 10_000,
  callsPerSecond: 20,
  maxQueuedCalls: 50,
  /** Chain reads have a separate limit, so that many reads do not delay other calls. */
  readsPerSecond: 500,
  maxQueuedReads: 500,
  /** Fits a receipt with hundreds of events, or the logs of several blocks. */
  maxChainAnswerBytes: 4 * 1024 * 1024,
  /** Maximum warnings to the developer about one host's settings. */
  maxWarnings: 20,
} as const

/** Images that a host configures. */
export const pictureLimits = {
  /** Length of a data URL. It must fit into one message with the other settings. */
  maxAddressLength: 48 * 1024,
  /** The same before base64 encoding. */
  maxBytes: 36 * 1000,
  fetchDeadlineMs: 5 * SECOND,
} as const

/** API calls of browsers. */
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
  /** A token with less time left is refreshed first. */
  activeLeftSeconds: 30,
  refreshLockDeadlineMs: 90 * SECOND,
  /** Browsers may open the key store late, or never. */
  proofKeyDeadlineMs: 5 * SECOND,
  /** How long logout waits for the server. The local session is cleared before. */
  logoutWaitMs: 5 * SECOND,
  /** How long after a login its secret can bind a device. */
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

/** Rate limits. Window sizes are in seconds. */
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
  /** Delay after a redirect login, or after a phone login before consent. */
  beforeNextStepSocialMs: 1_400,
  authFlowResetMs: 200,
  progressAfterMs: 150,
  /** How long a card with cached data waits for fresh data from the server. */
  askAnewMs: 3 * SECOND,
  /** Maximum time that expensive work waits for a card that opens. */
  heldMs: 5 * SECOND,
  /** Delay before a phone field loads the full country list, unless it is opened first. */
  countriesAfterMs: 500,
} as const

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
  /** A person may look for a code in their mail for long, but not for ever. */
  userCallDeadlineMs: 30 * MINUTE,
  pulseIntervalMs: 5 * SECOND,
  pulseDeadlineMs: 10 * SECOND,
  maxMessageBytes: 64 * 1024,
  maxTypedDataBytes: 256 * 1024,
  /** The icons of a host's wallets are data in their addresses. */
  maxHostWalletsBytes: 256 * 1024,
  maxDepth: 16,
  maxIdLength: 64,
  rememberedIds: 10_000,
  callsPerSecond: 20,
  maxQueuedCalls: 50,
  /** To a developer, of one host's settings. */
  maxWarnings: 20,
} as const

/** Calls from a browser to the server. */
export const apiLimits = {
  timeoutMs: 20 * SECOND,
  retries: 3,
  firstRetryDelayMs: 500,
  retryDelayFactor: 3,
  retriedStatuses: [408, 409, 425, 500, 502, 503, 504],
  maxBodyBytes: 256 * 1024,
  maxStringLength: 4_096,
  requestReplaySeconds: 120,
  /** A call whose twin is under way waits for its outcome so long: shorter than `timeoutMs`. */
  replayWaitMs: 15 * SECOND,
} as const

export const appLimits = {
  appIdLength: 25,
  maxAllowedOrigins: 100,
  maxNameLength: 64,
} as const

export const sessionLimits = {
  accessTokenSeconds: 15 * 60,
  walletTokenSeconds: 60,
  /** A wallet token with less left than this is asked for anew. */
  walletTokenLeftSeconds: 10,
  /** One that waits for a person is renewed after this time, so that it is fresh when they press. */
  walletTokenRenewSeconds: 40,
  /** A token with less left than this is refreshed first. */
  activeLeftSeconds: 30,
  refreshTokenSeconds: 30 * DAY_SECONDS,
  refreshCookieMarkerSeconds: 30 * DAY_SECONDS,
  /** How long a parent still answers with its successor after that successor was first used. */
  successorGraceSeconds: 10,
  oneUseCodeSeconds: 60,
  proofMaxAgeSeconds: 60,
  clockSkewSeconds: 30,
  refreshLockDeadlineMs: 90 * SECOND,
  /** A browser may give its key store late, or never answer at all. */
  proofKeyDeadlineMs: 5 * SECOND,
  /** How long a caller of logout waits for the server; the local session is gone before. */
  logoutWaitMs: 5 * SECOND,
} as const

export const smsLimits = {
  codeLength: 6,
  codeSeconds: 10 * 60,
} as const

export const captchaLimits = {
  /** What a token is for, as its provider keeps it. */
  action: 'login',
  executeAfterMs: 500,
  pollMs: 200,
  deadlineMs: 20 * SECOND,
  continueAfterMs: 1 * SECOND,
  retries: 3,
  retryDelayMs: 1 * SECOND,
  /** A token that was not used yet is good for less than its provider's 300 s. */
  tokenSeconds: 240,
} as const

/** Sign-In with Ethereum. */
export const siweLimits = {
  nonceSeconds: 10 * 60,
  /** How far the clock of whoever wrote the message may be off. */
  clockSkewSeconds: 5 * 60,
  maxSignatureLength: 32_768,
  maxNameLength: 64,
  /** How long a browser keeps a nonce that was not brought back, for the next try. */
  nonceKeptMs: 5 * MINUTE,
  /** Of a wallet that failed to connect or to sign. */
  connectRetries: 2,
  /** Longer than this nobody waits for a wallet to say that it is there. */
  connectorInitMs: 1_500,
  /** Of a wallet that drops a request which comes right after one that failed. */
  retryPromptDelayMs: 2_500,
} as const

export const passkeyLimits = {
  maxPerUser: 5,
  challengeSeconds: 5 * 60,
  /** How long a browser keeps one that was not answered, for the next try. */
  challengeKeptMs: 60 * SECOND,
  /** Of one field of what an authenticator answers, in base64url. */
  maxResponseLength: 32_768,
  maxWordLength: 64,
  maxTransports: 16,
} as const

export const emailLimits = {
  codeLength: 6,
  codeSeconds: 10 * 60,
  maxAddressLength: 254,
  wrongCodeClearsMs: 1_400,
  resendLockMs: 30 * SECOND,
  resendLockSeconds: 30,
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
  /** OAuth, Telegram, and Farcaster before consent. */
  beforeNextStepSocialMs: 1_400,
  authFlowResetMs: 200,
  progressAfterMs: 150,
  /** How long counted events wait at most for a card to be drawn. */
  eventsHeldMs: 5 * SECOND,
  mobileBreakpointPx: 440,
  cardBreakpointPx: 441,
  optionListMaxHeightPx: 400,
  logoMaxWidthPx: 180,
  logoMaxHeightPx: 90,
  qrSizePx: 160,
  primaryOptionsMax: 5,
  primaryOptionsWithOverflow: 4,
  web2EntriesMax: 4,
  web2EntriesShown: 3,
  web3WalletsMax: 4,
  web3WalletsShown: 3,
  defaultCountry: 'US',
  maskedPhoneDigits: 4,
} as const

/** When an approval in the frame may be given. */
export const approvalLimits = {
  /** How long the card must be seen and still, the pointer lie on its button, or the button have the focus. */
  stillMs: 500,
  /** From one look at the card to the next: a random time between these, so that no cover can keep out of its way. */
  shortestLookMs: 20,
  longestLookMs: 60,
  /** A look that is older says nothing of the present. */
  lookLastsMs: 500,
  /** How far the frame may lie from where it was while a pointer is over it, in pixels of the screen. */
  framePlacePx: 4,
  /** Below these the card is too small to be read: the browser at 67 % still works, at 50 % nothing is approved. */
  leastPixelRatio: 0.6,
  leastZoom: 0.6,
  leastCardWidthPx: 280,
  leastCardHeightPx: 200,
  /** No screen puts more of its pixels into one of the page's, beside the browser's zoom. */
  mostScreenScale: 4,
  /** The browser's zoom, and that of two fingers on top of it. */
  mostZoom: 25,
} as const

export const walletLimits = {
  frameReadyMs: 30 * SECOND,
  frameReadyImperativeMs: 15 * SECOND,
  createMs: 10 * SECOND,
  callMs: 20 * SECOND,
  createdScreenCloseMs: 2_500,
  signSuccessCloseMs: 1_400,
  signResetMs: 200,
  beforeExportMs: 1_000,
  vaultIdleMs: 60 * SECOND,
  /** An operation may wait for a person; its key pair then dies by itself. */
  operationMs: 10 * MINUTE,
  entropyBytes: 16,
  importedKeyBytes: 32,
  sharesTotal: 3,
  sharesNeeded: 2,
  maxMessageBytes: 64 * 1024,
} as const

/** Limits of logins in a separate window. Loaded with the first such login. */
export const oauthLimits = {
  /** Lifetime of the flow, and of the provider's answer. */
  flowSeconds: 10 * 60,
  /** Length of the dialog's handle, verifier, state and secret. */
  secretBytes: 36,
  shortestSecret: 43,
  longestSecret: 128,
  challengeLength: 43,
  /** 65 bytes, base64url. */
  startKeyLength: 87,
  /** How long the opened page waits for the parallel API call. */
  startWaitMs: 10_000,
  /** How long one poll for the result waits, below `apiLimits.timeoutMs`. */
  resultWaitMs: 10_000,
  /** Pause between two polls. */
  resultPauseMs: 300,
  /** How long the dialog waits for a window at a provider, and how often it checks that the window is open. */
  windowMs: 120_000,
  closedCheckMs: 300,
  /** A page that should have redirected by then offers a button. */
  redirectPatienceMs: 4_000,
  popupWidthPx: 440,
  popupHeightPx: 680,
} as const

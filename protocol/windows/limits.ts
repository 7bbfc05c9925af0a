/** A login in a window of its own. A dialog has these with the first such login, and not before. */
export const oauthLimits = {
  /** From the start to the end, and from the provider's answer to its use. */
  flowSeconds: 10 * 60,
  /** Handle, verifier, state and secret of the dialog. */
  secretBytes: 36,
  shortestSecret: 43,
  longestSecret: 128,
  challengeLength: 43,
  /** 65 bytes, base64url. */
  startKeyLength: 87,
  /** The page that the click opened waits so long for the call that runs beside it. */
  startWaitMs: 10_000,
  /** One call for a result waits so long for it, below `apiLimits.timeoutMs`. */
  resultWaitMs: 10_000,
  /** Between two calls for a result, whatever answers them. */
  resultPauseMs: 300,
  /** So long a window at a provider is waited for, and so often it is looked whether it is there. */
  windowMs: 120_000,
  closedCheckMs: 300,
  /** A page that is to be taken away and stays for so long offers a button for it. */
  redirectPatienceMs: 4_000,
  popupWidthPx: 440,
  popupHeightPx: 680,
} as const

/** Limits of wallets that are used in another app. */
export const crossAppLimits = {
  /** How long the dialog waits for a window at the provider, and how often it checks that the window is open. */
  windowMs: 120_000,
  closedCheckMs: 300,
  popupWidthPx: 400,
  popupHeightPx: 680,
  /** How long the success screen stays. */
  successCloseMs: 1_400,
  /** How long a request waits for its user, and how long its answer can be fetched. */
  requestSeconds: 120,
  answerLifetimeSeconds: 300,
  /** How long one poll for the result waits. */
  resultWaitMs: 10_000,
  resultPauseMs: 300,
  /** Lifetime of the handover from the login page to the wallet page. */
  handoverSeconds: 60,
  /** How long the login page waits for the wallet page. */
  handoverPageMs: 15_000,
  maxRequestBytes: 256 * 1024,
  /** Maximum pending requests of one connection. */
  maxOpenRequests: 5,
  /** The highest daily limit, in US dollars. */
  maxDailyUsd: 1_000_000,
} as const

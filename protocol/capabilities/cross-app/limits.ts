/** A wallet of one app in another. */
export const crossAppLimits = {
  /** So long a window at the provider is waited for, and so often it is looked whether it is there. */
  windowMs: 120_000,
  closedCheckMs: 300,
  popupWidthPx: 400,
  popupHeightPx: 680,
  /** A connection that came is shown for so long before its card closes. */
  successCloseMs: 1_400,
  /** A request waits so long for its user, and a little longer for its answer to be fetched. */
  requestSeconds: 120,
  answerLifetimeSeconds: 300,
  /** One question for an answer waits so long for it. */
  resultWaitMs: 10_000,
  resultPauseMs: 300,
  /** The handover lasts from the login at the provider to the page of its wallet. */
  handoverSeconds: 60,
  /** So long the page of the login waits for that of the wallet. */
  handoverPageMs: 15_000,
  maxRequestBytes: 256 * 1024,
  /** Requests of one connection that wait at once. */
  maxOpenRequests: 5,
  /** The highest limit of a day, in dollars. */
  maxDailyUsd: 1_000_000,
} as const

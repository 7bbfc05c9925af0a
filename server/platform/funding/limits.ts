/** Limits of card payments. */
export const fundingServerLimits = {
  /** The number of payments that one user may begin per day. */
  perDay: 30,
  daySeconds: 86_400,
  /** The browser polls again after 3 s. */
  statusDeadlineMs: 6_000,
  /** How long a webhook notice is fresh enough to skip a request to the provider. */
  heardFreshSeconds: 30,
  /** The accepted age of a webhook signature. */
  webhookToleranceSeconds: 300,
  /** The accepted clock skew of a notice. A later date is clamped to now. */
  noticeSkewSeconds: 30,
  /** Payments may be disputed or refunded for months. */
  keptSeconds: 180 * 86_400,
} as const

/** Payments by card. */
export const fundingServerLimits = {
  /** Payments that one user may begin, each with a name at the provider. */
  perDay: 30,
  daySeconds: 86_400,
  /** The browser asks again in 3 s. */
  statusDeadlineMs: 6_000,
  /** What the provider told by itself stands for so long before it is asked. */
  heardFreshSeconds: 30,
  /** How far the time of what a provider signed may be off. */
  webhookToleranceSeconds: 300,
  /** How far in the future the date of a notice may be. A later one counts as of now. */
  noticeSkewSeconds: 30,
  /** A payment may be looked into, and may come back, for months. */
  keptSeconds: 180 * 86_400,
} as const

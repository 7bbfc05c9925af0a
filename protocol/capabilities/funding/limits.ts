/** Limits of card payments at a provider. */
export const fundingLimits = {
  statusPollMs: 3_000,
  /** Failed status calls in a row that mean that the service is down. An empty answer is not a failure. */
  failuresUntilService: 3,
  /** Interval between balance checks for incoming funds. */
  balancePollMs: 4_000,
  /** A payment that is older starts anew. */
  rememberedMs: 24 * 60 * 60 * 1_000,
} as const

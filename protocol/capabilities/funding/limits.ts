/** Buying with a card at a provider. */
export const fundingLimits = {
  statusPollMs: 3_000,
  /** This many questions without an answer mean that the service is out; 'nothing yet' is an answer. */
  failuresUntilService: 3,
  /** How often the chain is looked at for money that arrives. */
  balancePollMs: 4_000,
  /** A payment that was left alone for longer is begun anew. */
  rememberedMs: 24 * 60 * 60 * 1_000,
} as const

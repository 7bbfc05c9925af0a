export const systemLimits = {
  reachDeadlineMs: 3_000,
  /** How long the state of the providers is not checked again. */
  providersFreshMs: 60_000,
  /** A larger backlog is not counted. */
  mostCounted: 10_000,
} as const

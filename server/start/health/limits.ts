/** Below the interval of any balancer. */
export const healthLimits = {
  rememberedMs: 500,
  /** Whoever reads the metrics waits for this long to hear of the database: below the ten seconds of Prometheus. */
  watchedMs: 3_000,
} as const

/** How often and how long somebody outside is looked for at start, before the log says that they are not there. */
export const reachLimits = { tries: 4, betweenMs: 3_000, deadlineMs: 5_000 }

/** Codes of authenticator apps change every 30 s, and HTTP dates are exact to a second. */
export const clockLimits = { toleratedMs: 30_000 } as const

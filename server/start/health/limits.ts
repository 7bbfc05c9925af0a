/** Cached for less than the polling interval of load balancers. */
export const healthLimits = {
  cachedMs: 500,
  /** Below the scrape timeout of Prometheus, which is ten seconds. */
  metricsDeadlineMs: 3_000,
} as const

/** Connection attempts per third party at start, before the log reports it as unreachable. */
export const reachLimits = { tries: 4, betweenMs: 3_000, deadlineMs: 5_000 }

/** Authenticator codes change every 30 s, and HTTP dates have a resolution of one second. */
export const clockLimits = { toleratedMs: 30_000 } as const

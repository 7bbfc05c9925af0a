export const hostLoginLimits = {
  /** How long the page may take to return a token. */
  tokenMs: 10_000,
  /** How long the calls of a new page wait for the page's login. They then see the stored session. */
  startMs: 15_000,
} as const

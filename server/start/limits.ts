export const connectionLimits = {
  /** Longer than proxies keep theirs (60 to 75 s), or one sends a call into a connection that is just being closed. */
  keepAliveMs: 90_000,
  /** The whole of a call's headers. */
  headersMs: 20_000,
  /** And its body with them: the largest is a few hundred kB. */
  requestMs: 60_000,
} as const

export const oauthClientLimits = {
  /** The lifetime of a client secret signed for each call. Apple accepts up to six months. */
  secretSeconds: 300,
} as const

/** Limits for revoking unused tokens. */
export const revocationLimits = {
  /** The revocation runs after the response was decided, while the lease is held. */
  deadlineMs: 5_000,
} as const

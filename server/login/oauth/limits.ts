export const oauthClientLimits = {
  /** How long a secret holds that is signed anew for each call: Apple takes half a year. */
  secretSeconds: 300,
} as const

/** Limits for revoking a token that nobody needs any more. */
export const revocationLimits = {
  /** It is told after the answer was decided, while a lease runs. */
  deadlineMs: 5_000,
} as const

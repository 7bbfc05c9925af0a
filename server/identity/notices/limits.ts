/** What no contact of a user took is kept for their next login, and no longer than somebody stays away. */
export const noticeLimits = {
  perUser: 10,
  keptSeconds: 365 * 86_400,
  /** The limit is for one user, because the operator pays for each text message. */
  texts: { limit: 10, windowSeconds: 86_400 },
} as const

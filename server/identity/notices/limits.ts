/** Limits of notices that are stored until the user's next login. */
export const noticeLimits = {
  perUser: 10,
  keptSeconds: 365 * 86_400,
  /** Per user, because each SMS costs the operator money. */
  texts: { limit: 10, windowSeconds: 86_400 },
  /** Mails about new devices, per user. */
  deviceMails: { limit: 10, windowSeconds: 86_400 },
} as const

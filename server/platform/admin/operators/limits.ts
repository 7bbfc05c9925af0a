export const operatorLimits = {
  /** Counted from the sign-in. Use does not extend a session. */
  sessionSeconds: 12 * 3_600,
  defaultInvitationHours: 24,
  longestInvitationHours: 7 * 24,
  mostPasskeys: 5,
  /** Sign-ins and opened invitations per client address. */
  attempts: { limit: 60, windowSeconds: 600 },
  /** Revoked operators stay in the list for this long, like entries of the audit log. */
  revokedKeptSeconds: 400 * 86_400,
} as const

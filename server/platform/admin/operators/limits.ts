export const operatorLimits = {
  /** Counted from the sign-in. Use does not extend a session. */
  sessionSeconds: 12 * 3_600,
  defaultInvitationHours: 24,
  longestInvitationHours: 7 * 24,
  mostPasskeys: 5,
  /** Sign-ins and opened invitations per client address. */
  attempts: { limit: 60, windowSeconds: 600 },
  /** The time for a sign-in at the OpenID provider. */
  oidcSignInSeconds: 600,
  oidcExchangeMs: 10_000,
  /** The first passkey can be registered for this long after the authentication at the OpenID provider. */
  recentSignInSeconds: 300,
  mostGrants: 50,
  /** Groups of an ID token that are read. */
  mostGroups: 1_000,
  /** Revoked operators stay in the list for this long, like entries of the audit log. */
  revokedKeptSeconds: 400 * 86_400,
} as const

/** Limits of OpenID providers that operators configure. */
export const oidcLimits = {
  longestAddress: 512,
  /** The accepted age of a logout token. Providers send it at once, and retry for some seconds. */
  logoutTokenSeconds: 600,
  longestLogoutBody: 16_384,
  /** Cached key sets of providers in a process. */
  cachedKeySets: 1_000,
} as const

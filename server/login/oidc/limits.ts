/** Limits of OpenID providers that operators configure. */
export const oidcLimits = {
  /** LANDING shows one row for each. */
  mostProviders: 20,
  longestName: 60,
  longestAddress: 512,
  longestSecret: 1_024,
  /** The accepted age of a logout token. Providers send it at once, and retry for some seconds. */
  logoutTokenSeconds: 600,
  longestLogoutBody: 16_384,
  /** Cached key sets of providers in a process. */
  cachedKeySets: 1_000,
} as const

/** Limits of responses from cross-app providers. */
export const crossAppClientLimits = {
  longestName: 100,
  longestAddress: 2_048,
  /** The maximum length of `sub` in OpenID Connect. */
  longestSubject: 255,
  longestToken: 4_096,
  /** The maximum number of connected wallets per account. */
  mostWallets: 20,
  /** The maximum number of providers per app. */
  mostProviders: 50,
} as const

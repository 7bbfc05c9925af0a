/** Limits of what a provider says whose wallets are used here. */
export const crossAppClientLimits = {
  longestName: 100,
  longestAddress: 2_048,
  /** OpenID Connect allows a `sub` of so many characters. */
  longestSubject: 255,
  longestToken: 4_096,
  /** Connected wallets that one account says. */
  mostWallets: 20,
  /** Providers of one app. */
  mostProviders: 50,
} as const

/** Of the provider of a wallet that is used here. */
export const crossAppClientLimits = {
  longestName: 100,
  longestAddress: 2_048,
  /** As OpenID Connect has it. */
  longestSubject: 255,
  longestToken: 4_096,
  /** Connected wallets that one account says. */
  mostWallets: 20,
  /** Providers of one app. */
  mostProviders: 50,
} as const

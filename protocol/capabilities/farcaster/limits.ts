/** Sign In With Farcaster. */
export const farcasterLimits = {
  /** How long the dialog polls for the approval on the phone, and how often. */
  waitMs: 120_000,
  pollMs: 2_000,
  /** How long an approval can be used. */
  channelSeconds: 5 * 60,
} as const

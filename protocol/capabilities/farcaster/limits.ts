/** Sign In With Farcaster. */
export const farcasterLimits = {
  /** How long the dialog waits for the person's phone, and how often it asks. */
  waitMs: 120_000,
  pollMs: 2_000,
  /** How long what was approved may be used. */
  channelSeconds: 5 * 60,
} as const

/** A Farcaster signer that waits for its approval. */
export const signerLimits = {
  /** How long the dialog waits for the person's phone, and how often it asks. */
  waitMs: 300_000,
  pollMs: 2_000,
  /** How long what was asked of Farcaster may be approved. */
  requestSeconds: 24 * 60 * 60,
  /** What is left of a request that is shown to somebody. */
  requestLeftSeconds: 10 * 60,
} as const

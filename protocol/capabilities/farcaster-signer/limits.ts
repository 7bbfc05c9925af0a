/** Limits of the signer approval. */
export const signerLimits = {
  /** How long the dialog polls for the approval on the phone, and how often. */
  waitMs: 300_000,
  pollMs: 2_000,
  /** Lifetime of the request to Farcaster. */
  requestSeconds: 24 * 60 * 60,
  /** Minimum remaining lifetime of a request that is shown to a user. */
  requestLeftSeconds: 10 * 60,
} as const

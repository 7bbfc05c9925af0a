export const passkeyLimits = {
  challengeSeconds: 5 * 60,
  /** How long a browser keeps one that was not answered, for the next try. */
  challengeLifetimeMs: 60_000,
  /** A window of its own has so long from the press that opens it to the answer. */
  windowSeconds: 5 * 60,
  /**
   * A browser without a word for its policy refuses a frame before anything is drawn; whoever reads a prompt and
   * presses Cancel takes longer than this.
   */
  refusedAtOnceMs: 500,
  /** What is asked in such a window names five passkeys at most. */
  maxWindowCeremonyBytes: 16 * 1024,
  /** An authenticator without a certificate answers little. */
  maxWindowAnswerBytes: 64 * 1024,
  /** Of one field of what an authenticator answers, in base64url. */
  maxResponseLength: 32_768,
  maxWordLength: 64,
  maxTransports: 16,
} as const

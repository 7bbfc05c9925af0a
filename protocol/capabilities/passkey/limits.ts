export const passkeyLimits = {
  maxPerUser: 5,
  challengeSeconds: 5 * 60,
  /** How long a browser keeps one that was not answered, for the next try. */
  challengeKeptMs: 60_000,
  /** From the press that opens a window of its own to the answer. */
  windowSeconds: 5 * 60,
  /**
   * A browser without a word for its policy refuses a frame before anything is drawn; whoever reads a prompt and
   * presses Cancel takes longer than this.
   */
  refusedAtOnceMs: 500,
  /** Of what is asked in such a window, which names five passkeys at most. */
  maxWindowCeremonyBytes: 16 * 1024,
  /** Of what is answered there: an authenticator without a certificate says little. */
  maxWindowAnswerBytes: 64 * 1024,
  /** Of one field of what an authenticator answers, in base64url. */
  maxResponseLength: 32_768,
  maxWordLength: 64,
  maxTransports: 16,
} as const

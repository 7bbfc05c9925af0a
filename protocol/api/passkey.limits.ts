export const passkeyLimits = {
  maxPerUser: 5,
  challengeSeconds: 5 * 60,
  /** How long a browser keeps one that was not answered, for the next try. */
  challengeKeptMs: 60_000,
  /** Of one field of what an authenticator answers, in base64url. */
  maxResponseLength: 32_768,
  maxWordLength: 64,
  maxTransports: 16,
} as const

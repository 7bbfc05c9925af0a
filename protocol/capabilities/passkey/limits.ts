export const passkeyLimits = {
  challengeSeconds: 5 * 60,
  /** How long a browser reuses an unanswered challenge for the next try. */
  challengeLifetimeMs: 60_000,
  /** How long a passkey suggestion waits with one challenge. Shorter than the challenge lives. */
  autofillChallengeMs: 4 * 60_000,
  /** Time from opening the window to its answer. */
  windowSeconds: 5 * 60,
  /** A faster refusal comes from a Permissions-Policy, before any prompt. Users take longer to press Cancel. */
  refusedAtOnceMs: 500,
  /** Ceremonies name five passkeys at most. */
  maxWindowCeremonyBytes: 16 * 1024,
  /** Authenticators without attestation certificates return small answers. */
  maxWindowAnswerBytes: 64 * 1024,
  /** Maximum length of one response field, in base64url. */
  maxResponseLength: 32_768,
  maxWordLength: 64,
  maxTransports: 16,
} as const

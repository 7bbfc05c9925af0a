export const mfaServerLimits = {
  totpStepSeconds: 30,
  /** How far the clock of an authenticator app may be off, in steps. */
  totpWindowSteps: 1,
  /** The secret is as long as the hash: RFC 4226, section 4. */
  totpSecretBytes: 20,
  /** So many wrong answers of a user with a method lock it, each time for longer, until one is right. */
  triesBeforeLock: 4,
  lockSeconds: [10, 60, 600, 3_600, 86_400],
  /** Wrong answers count for so long after the last of them. */
  triesKeptSeconds: 7 * 86_400,
} as const

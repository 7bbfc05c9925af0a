export const mfaServerLimits = {
  totpStepSeconds: 30,
  /** The accepted clock skew of authenticator apps, in steps. */
  totpWindowSteps: 1,
  /** The length of the hash, as RFC 4226, section 4 recommends. */
  totpSecretBytes: 20,
  /** Failed attempts before the method locks. Each lock is longer, until an attempt succeeds. */
  triesBeforeLock: 4,
  lockSeconds: [10, 60, 600, 3_600, 86_400],
  /** How long failed attempts count after the last one. */
  triesKeptSeconds: 7 * 86_400,
} as const

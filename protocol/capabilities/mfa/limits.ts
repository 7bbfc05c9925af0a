/** Limits of multi-factor verification that a browser needs. */
export const mfaLimits = {
  codeLength: 6,
  /** How long a call waits for the user to verify. */
  codeWaitMs: 300_000,
  /** Wrong answers in one operation. */
  triesPerOperation: 4,
  /** Lifetime of an enrollment, and of an unconfirmed secret. */
  enrolmentSeconds: 10 * 60,
  /** A verification must be used within this time, once. */
  verificationSeconds: 120,
  maxPasskeys: 5,
} as const

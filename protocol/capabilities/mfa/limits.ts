/** Multi-factor verification, as far as a browser should know it. */
export const mfaLimits = {
  codeLength: 6,
  /** How long a caller waits for a person to verify. */
  codeWaitMs: 300_000,
  /** Wrong answers in one operation. */
  triesPerOperation: 4,
  /** An enrolment lasts this long from its beginning to its code: so long a secret is shown that nobody confirmed. */
  enrolmentSeconds: 10 * 60,
  /** A verification that was given is used within this time, once. */
  verificationSeconds: 120,
  maxPasskeys: 5,
} as const

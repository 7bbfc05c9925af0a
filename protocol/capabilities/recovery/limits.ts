/** Recovery by what its user keeps. What only that needs comes with it. */
export const passwordLimits = {
  /** Unicode characters that a field takes; far below what a message may hold. */
  longest: 256,
  shortest: 6,
  saltBytes: 16,
  /** `least` is what is used: parameters of a server that asks for less, or for a whole machine, are refused. */
  memoryKib: { least: 65_536, most: 1_048_576 },
  iterations: { least: 3, most: 16 },
  parallelism: { least: 1, most: 4 },
} as const

/**
 * Wrong passwords of one wallet, or passkeys: five tries, and locks that grow with more of them. The longest stands first, so that
 * it is the one that is told.
 */
export const recoveryAttemptLimits = [
  { limit: 20, windowSeconds: 24 * 60 * 60 },
  { limit: 10, windowSeconds: 60 * 60 },
  { limit: 5, windowSeconds: 5 * 60 },
] as const

export const recoveryPasskeyLimits = {
  saltBytes: 32,
  /** A new passkey has this long until it keeps a wallet: a second factor may be asked for in between. */
  unusedSeconds: 30 * 60,
} as const

/** New passkeys of one user, whatever becomes of them. */
export const newRecoveryPasskeyLimits = [{ limit: 10, windowSeconds: 60 * 60 }] as const

export const cloudLimits = {
  /** One exchange with the user's cloud. */
  timeoutMs: 5_000,
} as const

export const reshareLimits = {
  /**
   * A change of recovery has this long from its beginning to its commit, which covers a slow phone and the retries of
   * calls; an older one counts for nothing.
   */
  pendingSeconds: 10 * 60,
} as const

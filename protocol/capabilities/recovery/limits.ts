/** Limits of the recovery methods. Loaded with recovery only. */
export const passwordLimits = {
  /** Maximum length in Unicode characters, far below the message limit. */
  longest: 256,
  shortest: 6,
  saltBytes: 16,
  /** `least` is the value in use. Weaker parameters of a server are rejected, and so are excessive ones. */
  memoryKib: { least: 65_536, most: 1_048_576 },
  iterations: { least: 3, most: 16 },
  parallelism: { least: 1, most: 4 },
} as const

/**
 * Rate limits for wrong passwords or passkeys of one wallet. Locks grow with more tries. The longest is first, so its
 * retry time is the one reported.
 */
export const recoveryAttemptLimits = [
  { limit: 20, windowSeconds: 24 * 60 * 60 },
  { limit: 10, windowSeconds: 60 * 60 },
  { limit: 5, windowSeconds: 5 * 60 },
] as const

export const recoveryPasskeyLimits = {
  saltBytes: 32,
  /** How long a new passkey may stay without a wallet. A second factor may be required in between. */
  unusedSeconds: 30 * 60,
} as const

/** Rate limit for new passkeys of one user, used or not. */
export const newRecoveryPasskeyLimits = [{ limit: 10, windowSeconds: 60 * 60 }] as const

export const cloudLimits = {
  /** Timeout of one call to the user's cloud. */
  timeoutMs: 5_000,
} as const

export const reshareLimits = {
  /** How long a reshare may take from start to commit, including retries on a slow phone. Older ones are discarded. */
  pendingSeconds: 10 * 60,
} as const

export const hookLimits = {
  /** The deadline for the complete answer. A user waits for it. */
  deadlineMs: 2_000,
  maxAnswerBytes: 8_192,
  /** The claims of `token.claims`, as JSON. */
  maxClaimsBytes: 1_024,
  maxReasonLength: 64,
  /** Consecutive failures after which a hook is not asked for `pauseMs`. */
  failuresBeforePause: 5,
  pauseMs: 30_000,
  /** How long a process uses the list of hooks that it has read. */
  freshMs: 5_000,
  /** The number of apps that a process remembers the hooks of. */
  rememberedApps: 10_000,
  /** Stored claims are requested again after this time, even in the same session. */
  claimsKeptSeconds: 30 * 86_400,
  secretOverlapSeconds: 86_400,
} as const

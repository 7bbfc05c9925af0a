export const verifyLimits = {
  /** The deadline of a response, including its body. */
  deadlineMs: 15_000,
  /** Larger than the largest file of a release. */
  maxBytes: 4_000_000,
  parallelRequests: 8,
} as const

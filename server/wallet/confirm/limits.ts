export const confirmServerLimits = {
  /** What one session may keep waiting for its user at once. */
  openBytesPerSession: 8 * 1_048_576,
  /** An old request is told apart for so long from one that never was. */
  keptSeconds: 600,
  spendingSeconds: 86_400,
  /** Somebody waits for the answer; where none comes, the fee counts without that part. */
  l1FeeDeadlineMs: 2_000,
} as const

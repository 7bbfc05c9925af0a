const minuteMs = 60_000
const hourMs = 60 * minuteMs

export const webhookLimits = {
  attemptDeadlineMs: 15_000,
  /** Longer than an attempt with its statements, so that no other process repeats a running attempt. */
  leaseMs: 30_000,
  /** The delays after failed attempts, without jitter. The last attempt is three days after the first. */
  retryDelaysMs: [
    5_000,
    5 * minuteMs,
    30 * minuteMs,
    2 * hourMs,
    5 * hourMs,
    10 * hourMs,
    14 * hourMs,
    20 * hourMs,
    24 * hourMs,
  ],
  /** A delay is longer by up to this part of it, so that retries after an outage spread. */
  jitter: 0.2,
  longestRetryAfterMs: 24 * hourMs,
  /** A webhook is paused after failing for this long without a success. */
  failingSeconds: 3 * 86_400,
  /** Simultaneous attempts of a process, and of a process to one webhook. */
  attempts: 64,
  attemptsPerWebhook: 16,
  pollMs: 1_000,
  /** Events and deliveries are kept for this long. */
  keptSeconds: 30 * 86_400,
  maxErrorLength: 200,
} as const

export const farcasterClientLimits = {
  /** The timeout of one poll. The browser polls again soon. */
  pollDeadlineMs: 5_000,
  /** The retry delay after a rate limit, because the relay does not send one. */
  tooManySeconds: 60,
} as const

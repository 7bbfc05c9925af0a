export const farcasterClientLimits = {
  /** One look at a channel: the browser looks again soon. */
  pollDeadlineMs: 5_000,
  /** A relay that takes no more calls does not say until when. */
  tooManySeconds: 60,
} as const

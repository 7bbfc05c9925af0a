const SECOND = 1_000

/** Limits for dapps that were connected with a link. They are here so that they load with this capability only. */
export const dappLimits = {
  /** The deadline for the relay to respond. */
  relayMs: 10 * SECOND,
  /** The deadline for the dapp to send its proposal. */
  proposalMs: 15 * SECOND,
  /** The deadline for the dapp to acknowledge the connection. */
  settleMs: 20 * SECOND,
  /** The delay before an unreachable relay is retried. */
  resumeMs: 30 * SECOND,
  /** The deadline for notifying a dapp that its session ends. */
  goodbyeMs: 3 * SECOND,
  /** The maximum number of pending requests. Further requests are rejected as busy. */
  maxWaiting: 10,
  /** A request is rejected this long before it expires, while the dapp still listens. */
  answeredBeforeMs: 2 * SECOND,
  maxLinkLength: 4_096,
} as const

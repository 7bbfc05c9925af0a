const SECOND = 1_000

/** Of dapps that were connected by a link. They stand here, and not with all others, to come with its code. */
export const dappLimits = {
  /** Until the relay has taken what a link says. */
  relayMs: 10 * SECOND,
  /** How long the dapp that made a link may take to say what it wants. */
  proposalMs: 15 * SECOND,
  /** Until the dapp has heard that it is connected. */
  settleMs: 20 * SECOND,
  /** A relay that was not there is tried again. */
  resumeMs: 30 * SECOND,
  /** Longer than this nobody waits to say goodbye. */
  goodbyeMs: 3 * SECOND,
  /** What waits for its user; whatever comes beyond is told so. */
  maxWaiting: 10,
  /** A request is answered so long before it runs out, while its dapp still listens. */
  answeredBeforeMs: 2 * SECOND,
  maxLinkLength: 4_096,
} as const

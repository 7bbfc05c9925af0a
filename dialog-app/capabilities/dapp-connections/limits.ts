const SECOND = 1_000

/** The limits of dapps that were connected by a link. They stand here, and not with all others, to load with the code of this capability. */
export const dappLimits = {
  /** The relay has so long to take what a link says. */
  relayMs: 10 * SECOND,
  /** How long the dapp that made a link may take to say what it wants. */
  proposalMs: 15 * SECOND,
  /** The dapp has so long to learn that it is connected. */
  settleMs: 20 * SECOND,
  /** A relay that was not there is tried again. */
  resumeMs: 30 * SECOND,
  /** Longer than this nobody waits to say goodbye. */
  goodbyeMs: 3 * SECOND,
  /** So many requests wait for their user; whatever comes beyond is told so. */
  maxWaiting: 10,
  /** A request is answered so long before it runs out, while its dapp still listens. */
  answeredBeforeMs: 2 * SECOND,
  maxLinkLength: 4_096,
} as const

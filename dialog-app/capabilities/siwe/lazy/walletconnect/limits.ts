const SECOND = 1_000
const MINUTE = 60 * SECOND

/** The limits of a wallet that is reached through a relay. They stand here, and not with all others, to load with its code. */
export const walletConnectLimits = {
  /** The relay has so long to open a pairing that a phone can join. */
  relayMs: 10 * SECOND,
  /** How long a phone can join; then the link has expired. */
  joinMs: 5 * MINUTE,
  /** How long its user may read what is to be signed. */
  answerMs: 5 * MINUTE,
  answerSeconds: 5 * 60,
  /** Longer than this nobody waits to say goodbye. */
  goodbyeMs: 2 * SECOND,
} as const

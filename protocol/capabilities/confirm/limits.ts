/** Limits of confirmations, which come before a signature. */
export const confirmLimits = {
  /** From the request to its approval, and from an approval to the signature. */
  seconds: 5 * 60,
  /** One with less left than this is asked for anew. */
  leftSeconds: 30,
  /** The dialog asks so often what the page said. */
  statusPollMs: 1_000,
  /** How long a page that the host's loader opened in the click waits for the card to put the request. */
  openedByHostMs: 20_000,
  /** Requests of one session that are open, or were refused in the last `seconds`. */
  maxOpen: 50,
  /** The longest request, and what JSON makes of it. */
  maxBodyBytes: 640 * 1024,
  /** What a dapp that was connected by a link says of itself, in characters. */
  maxRequesterName: 80,
  maxRequesterUrl: 200,
  /** Tokens of one request that lists are asked about; those of a bulk order are a few. */
  maxNamedTokens: 32,
  activityPageSize: 50,
} as const

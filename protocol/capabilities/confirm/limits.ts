/** Limits of confirmations. */
export const confirmLimits = {
  /** Lifetime of a request until its approval, and of an approval until its use. */
  seconds: 5 * 60,
  /** A confirmation with less time left is replaced. */
  leftSeconds: 30,
  /** How often the dialog polls the state. */
  statusPollMs: 1_000,
  /** How long a page that the host's loader opened in the click waits for its request. */
  openedByHostMs: 20_000,
  /** Maximum requests of one session that are open, or were refused in the last `seconds`. */
  maxOpen: 50,
  /** The longest request with JSON overhead. */
  maxBodyBytes: 640 * 1024,
  /** Maximum length of a relayed dapp's name, in characters. */
  maxRequesterName: 80,
  maxRequesterUrl: 200,
  /** Maximum tokens of one request that are looked up. Bulk orders have a few. */
  maxNamedTokens: 32,
  activityPageSize: 50,
} as const

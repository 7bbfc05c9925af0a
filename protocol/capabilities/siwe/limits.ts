/** Sign-In with Ethereum. */
export const siweLimits = {
  /** Of one user: every read of a user reads them all. */
  maxPerUser: 100,
  nonceSeconds: 10 * 60,
  /** How far the clock of whoever wrote the message may be off. */
  clockSkewSeconds: 5 * 60,
  maxSignatureLength: 32_768,
  maxNameLength: 64,
  /** How long a browser keeps a nonce that was not brought back, for the next try. */
  nonceKeptMs: 5 * 60_000,
  /** Of a wallet that failed to connect or to sign. */
  connectRetries: 2,
  /** Longer than this nobody waits for a wallet to say that it is there. */
  connectorInitMs: 1_500,
  /** Of a wallet that drops a request which comes right after one that failed. */
  retryPromptDelayMs: 2_500,
} as const

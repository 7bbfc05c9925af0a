/** Sign-In with Ethereum. */
export const siweLimits = {
  nonceSeconds: 10 * 60,
  /** How far the clock of whoever wrote the message may be off. */
  clockSkewSeconds: 5 * 60,
  maxSignatureLength: 32_768,
  maxNameLength: 64,
  /** How long a browser keeps a nonce that was not brought back, for the next try. */
  nonceLifetimeMs: 5 * 60_000,
  /** A wallet that failed to connect or to sign is asked again so often. */
  connectRetries: 2,
  /** Longer than this nobody waits for a wallet to say that it is there. */
  connectorInitMs: 1_500,
  /** Some wallets drop a request that comes right after one that failed. */
  retryPromptDelayMs: 2_500,
} as const

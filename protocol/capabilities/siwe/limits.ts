/** Sign-In with Ethereum. */
export const siweLimits = {
  nonceSeconds: 10 * 60,
  /** Allowed clock skew of the message's author. */
  clockSkewSeconds: 5 * 60,
  maxSignatureLength: 32_768,
  maxNameLength: 64,
  /** How long a browser reuses an unused nonce for the next try. */
  nonceLifetimeMs: 5 * 60_000,
  /** Retries after a wallet failed to connect or to sign. */
  connectRetries: 2,
  /** Maximum wait for a wallet connector to initialize. */
  connectorInitMs: 1_500,
  /** Some wallets drop a request that follows a failed one immediately. */
  retryPromptDelayMs: 2_500,
} as const

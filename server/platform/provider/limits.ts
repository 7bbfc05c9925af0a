/** Limits of an app that provides wallets to other apps. */
export const providerLimits = {
  /** Includes the time to log in and recover the wallet. */
  interactionSeconds: 600,
  codeSeconds: 60,
  idTokenSeconds: 3_600,
  accessTokenSeconds: 15 * 60,
  /** Each use rotates the token and restarts the lifetime. */
  refreshTokenSeconds: 30 * 86_400,
  /** After this the user must consent again. */
  grantSeconds: 365 * 86_400,
  /** How long an ended connection is stored. */
  endedSeconds: 7 * 86_400,
  maxRedirectAddresses: 10,
  /** The number of app providers that a process caches. */
  readyProviders: 200,
} as const

/** Limits of an app that is a provider of wallets. */
export const providerLimits = {
  /** The user may have to log in, and to bring their wallet. */
  interactionSeconds: 600,
  codeSeconds: 60,
  idTokenSeconds: 3_600,
  accessTokenSeconds: 15 * 60,
  /** Each time that it is used there is a new one, for as long again. */
  refreshTokenSeconds: 30 * 86_400,
  /** After this the user is asked again. */
  grantSeconds: 365 * 86_400,
  /** A connected app that was ended. */
  endedSeconds: 7 * 86_400,
  maxRedirectAddresses: 10,
  /** Providers of apps that a process keeps ready. */
  readyProviders: 200,
} as const

import type { AppConfig } from './app-config.ts'

/** What an app has of its own, which no default can give. */
export type AppIdentity = Pick<AppConfig, 'id' | 'name' | 'verificationKey' | 'createdAt' | 'updatedAt'>
export type AppSettings = Omit<AppConfig, keyof AppIdentity>

/** How a new app starts: e-mail login, and a wallet for whoever has none. */
export const defaultAppSettings: AppSettings = {
  logoUrl: null,
  iconUrl: null,
  accentColor: null,
  theme: null,
  showWalletLoginFirst: false,
  customApiUrl: null,
  allowlistEnabled: false,
  allowlistConfig: {},
  allowedDomains: [],
  allowedNativeAppIds: [],
  allowedNativeAppUrlSchemes: [],
  walletAuth: false,
  emailAuth: true,
  smsAuth: false,
  farcasterAuth: false,
  passkeyAuth: false,
  telegramAuth: false,
  googleOauth: false,
  twitterOauth: false,
  discordOauth: false,
  githubOauth: false,
  spotifyOauth: false,
  instagramOauth: false,
  tiktokOauth: false,
  linkedinOauth: false,
  appleOauth: false,
  telegramAuthConfig: null,
  termsAndConditionsUrl: null,
  privacyPolicyUrl: null,
  requireUsersAcceptTerms: false,
  embeddedWalletConfig: { createOnLogin: 'users-without-wallets' },
  walletConnectCloudProjectId: null,
  fiatOnRampEnabled: false,
  captchaEnabled: false,
  captchaSiteKey: null,
  twitterOauthOnMobileEnabled: false,
  oauthTokensToHost: false,
  mfaMethods: [],
  enforceWalletUis: false,
  legacyWalletUiConfig: false,
}

import type { AppConfig, ClientConfig } from '@latchkey/protocol'
import type { Settings } from '../core/settings.ts'

const app: AppConfig = {
  id: 'lkdemo0000000000000000001',
  name: 'Fieldnotes',
  verificationKey: '',
  logoUrl: null,
  iconUrl: null,
  accentColor: null,
  theme: null,
  showWalletLoginFirst: false,
  customApiUrl: null,
  createdAt: 0,
  updatedAt: 0,
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
  termsAndConditionsUrl: 'https://fieldnotes.example/terms',
  privacyPolicyUrl: 'https://fieldnotes.example/privacy',
  requireUsersAcceptTerms: false,
  embeddedWalletConfig: {},
  walletConnectCloudProjectId: null,
  fiatOnRampEnabled: false,
  captchaEnabled: false,
  captchaSiteKey: null,
  twitterOauthOnMobileEnabled: false,
  mfaMethods: [],
  enforceWalletUis: false,
  legacyWalletUiConfig: false,
}

/** The app that the gallery is a dialog of, in the colours and the room that are asked for. */
export const settingsOf = (config: ClientConfig, heightPx: number | undefined): Settings => ({
  app,
  config,
  hostColorScheme: 'normal',
  viewport:
    heightPx === undefined
      ? undefined
      : { heightPx, offsetTopPx: 0, insets: { top: 0, right: 0, bottom: 0, left: 0 } },
  hostOrigin: 'https://app.fieldnotes.example',
})

import type { AppConfig } from './app-config.ts'
import { type LoginSetting, loginSettings, methodAppSettings } from './login-methods.ts'

/** Properties of an app that have no default. */
export type AppIdentity = Pick<AppConfig, 'id' | 'name' | 'verificationKey' | 'createdAt' | 'updatedAt'>
export type AppSettings = Omit<AppConfig, keyof AppIdentity>

const loginSwitches = /* @__PURE__ */ Object.fromEntries(
  loginSettings.map((setting) => [setting, setting === 'emailAuth']),
) as { [Setting in LoginSetting]: boolean }

const methodSettings = /* @__PURE__ */ Object.fromEntries(
  Object.keys(methodAppSettings).map((setting) => [setting, null]),
) as { [Setting in keyof typeof methodAppSettings]: null }

/** Settings of a new app: e-mail login, and a wallet for users without one. */
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
  ...loginSwitches,
  ...methodSettings,
  termsAndConditionsUrl: null,
  privacyPolicyUrl: null,
  requireUsersAcceptTerms: false,
  embeddedWalletConfig: { createOnLogin: 'users-without-wallets' },
  solanaBesideEthereum: false,
  solanaWalletAuth: false,
  walletConnectCloudProjectId: null,
  rpcUrls: {},
  solanaRpcUrls: {},
  chains: [],
  testNetworks: [],
  sponsoredChains: [],
  sponsoredClusters: [],
  fiatOnRampEnabled: false,
  crossAppProvider: false,
  dappConnections: false,
  captchaEnabled: false,
  captchaSiteKey: null,
  twitterOauthOnMobileEnabled: false,
  oauthTokensToHost: false,
  crossOriginOpenerPolicy: null,
  cardTypedData: [],
  mfaMethods: [],
  enforceWalletUis: false,
  legacyWalletUiConfig: false,
}

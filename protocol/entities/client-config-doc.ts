/** Editor descriptions of each host setting, printed with the loader's declarations. */
import type { ClientConfig } from './client-config.ts'
import { methodHostSettingsDoc } from './login-methods.ts'

/** All setting paths, with dots between groups. Records and arrays are not groups. */
type PathIn<T> = {
  [Name in keyof T & string]:
    | Name
    | (IsGroup<NonNullable<T[Name]>> extends true ? `${Name}.${PathIn<NonNullable<T[Name]>>}` : never)
}[keyof T & string]
type IsGroup<T> = T extends object
  ? T extends readonly unknown[]
    ? false
    : string extends keyof T
      ? false
      : true
  : false
export type SettingPath = PathIn<ClientConfig>

export const clientConfigDoc: { [Path in SettingPath]: string } = {
  name: 'The name of your app in the dialog. Defaults to the name of the app on the server.',
  legal: 'The terms that a user agrees to by logging in.',
  'legal.requireUsersAcceptTerms': 'Requires each new user to accept the terms on a separate screen.',
  'legal.termsAndConditionsUrl': 'The URL of your terms.',
  'legal.privacyPolicyUrl': 'The URL of your privacy policy.',
  intl: 'Language and country.',
  'intl.defaultCountry': 'Two capital letters, such as `DE`: the default country of phone numbers.',
  'intl.locale':
    'A language tag such as `ar` or `en-GB`. Falls back to English if the dialog has no translation.',
  loginMethods:
    'The login methods to offer, in this order. Defaults to those that the app enables on the server.',
  loginMethodsAndOrder: 'Like `loginMethods`, in two groups: always visible, and behind "More options".',
  'loginMethodsAndOrder.primary': 'Login methods or wallets that are always visible.',
  'loginMethodsAndOrder.overflow': 'Login methods or wallets behind "More options".',
  appearance: 'The look of the dialog.',
  'appearance.theme':
    "A color scheme, `auto` for the user's preference, or the background color as `#rrggbb`.",
  'appearance.accentColor': 'The color of the main button and of links, as `#rrggbb`.',
  'appearance.logo':
    'The URL of an image above the first screen: `https:` or `data:`, PNG, JPEG, WebP or SVG. The loader fetches an image of another site, which must allow it (CORS) and may have at most 36 kB.',
  'appearance.landingHeader': 'The title of the first screen.',
  'appearance.loginMessage': 'A line under that title.',
  'appearance.loginGroupPriority': 'Whether e-mail and social logins or wallets come first.',
  'appearance.hideDirectWeb2Inputs': 'Puts the e-mail and phone fields behind a button.',
  'appearance.walletList': 'The wallets to offer, in this order.',
  'appearance.palette': 'Single colors.',
  'appearance.palette.colorScheme': 'The color scheme if `theme` is not set.',
  loginConfig: 'Settings of individual login methods.',
  'loginConfig.twitterOAuthOnMobileEnabled': 'Offers Twitter on phones.',
  'loginConfig.oauthTokens':
    "Requests the provider's tokens at each login and link, if the app hands them out. They arrive in the event `oauthTokens`.",
  allowlistConfig: "The message for users who are not on the app's allowlist.",
  'allowlistConfig.errorTitle': 'The title.',
  'allowlistConfig.errorDetail': 'The text under it.',
  'allowlistConfig.ctaText': 'The label of the button.',
  'allowlistConfig.ctaLink': 'The link of the button.',
  mfa: 'The second factor.',
  'mfa.methods': 'The second factors to offer.',
  'mfa.noPromptOnMfaRequired': 'Lets your page prompt for the second factor instead of the dialog.',
  ...methodHostSettingsDoc,
  embeddedWallets: 'Wallets that the dialog creates.',
  'embeddedWallets.createOnLogin':
    'Which users get a wallet at login: `users-without-wallets`, `all-users` or `off` for Ethereum, or `{ ethereum, solana }` with such a value each. Solana defaults to `off`; beside an Ethereum wallet, it needs the app setting `solana_beside_ethereum`.',
  'embeddedWallets.requireUserOwnedRecoveryOnCreate':
    'Requires a user-owned recovery method to create a wallet.',
  'embeddedWallets.noPromptOnSignature':
    'Signs without a screen, within the limits that the server enforces for the app.',
  'embeddedWallets.userOwnedRecoveryOptions': 'The user-owned recovery methods to offer.',
  'embeddedWallets.waitForTransactionConfirmation':
    'Keeps the screen open until the chain has confirmed the transaction.',
  'embeddedWallets.priceDisplay':
    "Whether transaction amounts are shown in the chain's currency, in US dollars, or in both.",
  'embeddedWallets.priceDisplay.primary': 'The currency that is shown first. Defaults to `native-token`.',
  'embeddedWallets.priceDisplay.secondary':
    'The currency that is shown second. `null` hides the dollars, but never the amounts that the user approves.',
  'embeddedWallets.announceProvider':
    "Announces the wallet to the page's libraries (EIP-6963), under the name of your app. Defaults to true if users get a wallet at login.",
  fiatOnRamp: 'Buying coins with money.',
  'fiatOnRamp.enabled': 'Whether it is offered.',
  'fiatOnRamp.useSandbox': "Uses the provider's sandbox, without real money.",
  captchaEnabled:
    "Requires a captcha before a login starts. The app needs a `captcha_site_key`. `false` does not disable the app's captcha.",
  captchaSiteKey:
    'The `captcha_site_key` of the app. Other keys are rejected, because the server cannot verify their tokens.',
  supportedChains: 'The ids of the chains that your page supports.',
  defaultChain: 'The id of the chain that a wallet starts on.',
  rpcUrls: 'RPC URLs by chain id. Only the URLs of the app on the server are accepted.',
  externalWallets: 'Settings of external wallets.',
  'externalWallets.walletConnect': 'Wallets on another device, through WalletConnect.',
  'externalWallets.walletConnect.enabled':
    'Whether they are offered, if the app has a WalletConnect project. Defaults to true.',
}

/** What an editor says of each setting of a host: the declarations of the loader are printed with it. */
import type { ClientConfig } from './client-config.ts'
import { methodHostSettingsDoc } from './login-methods.ts'

/** Every field, with dots into groups. A record of anything is no group. */
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
  name: 'How the dialog names your app. The name of the app at the server, where this is left out.',
  legal: 'What a person agrees to by logging in.',
  'legal.requireUsersAcceptTerms': 'Asks each new user to accept on a screen of its own.',
  'legal.termsAndConditionsUrl': 'Where your terms are.',
  'legal.privacyPolicyUrl': 'Where your privacy policy is.',
  intl: 'Language and country.',
  'intl.defaultCountry': 'Two capital letters, such as `DE`: whose calling code a phone number starts with.',
  'intl.locale': 'A language tag such as `ar` or `en-GB`. English, where the dialog does not speak it.',
  loginMethods:
    'Which ways to log in are offered, in this order. Those that the app has on at the server, where this is left out.',
  loginMethodsAndOrder: 'The same with two groups: what is seen at once, and what is behind "More options".',
  'loginMethodsAndOrder.primary': 'Login methods or wallets that are seen at once.',
  'loginMethodsAndOrder.overflow': 'Login methods or wallets behind "More options".',
  appearance: 'How the dialog looks.',
  'appearance.theme':
    'A scheme, `auto` for the one that the person has set, or the background colour as `#rrggbb`.',
  'appearance.accentColor': 'The colour of the main button and of links, as `#rrggbb`.',
  'appearance.logo':
    'The address of a picture over the first screen: `https:` or `data:`, PNG, JPEG, WebP or SVG. Of another site than your page it is fetched by the loader, if that site allows it (CORS) and it has at most 36 kB.',
  'appearance.landingHeader': 'The title of the first screen.',
  'appearance.loginMessage': 'A line under that title.',
  'appearance.loginGroupPriority': 'Whether e-mail and social logins or wallets come first.',
  'appearance.hideDirectWeb2Inputs': 'Puts the fields for e-mail and phone behind a button.',
  'appearance.walletList': 'Which wallets are offered, in this order.',
  'appearance.palette': 'Colours, from hosts that set them one by one.',
  'appearance.palette.colorScheme': 'Stands in for `theme` where that is left out.',
  loginConfig: 'Settings of single login methods.',
  'loginConfig.twitterOAuthOnMobileEnabled': 'Offers Twitter on phones.',
  'loginConfig.oauthTokens':
    'Asks for the tokens of a provider at each login and link there, where the app hands them out: see the event `oauthTokens`.',
  allowlistConfig: 'What somebody reads who is not on the list of an app that has one.',
  'allowlistConfig.errorTitle': 'The title.',
  'allowlistConfig.errorDetail': 'The text under it.',
  'allowlistConfig.ctaText': 'The words on the button.',
  'allowlistConfig.ctaLink': 'Where the button leads.',
  mfa: 'The second factor.',
  'mfa.methods': 'Which ways of it are offered.',
  'mfa.noPromptOnMfaRequired': 'Leaves the asking to your page.',
  ...methodHostSettingsDoc,
  embeddedWallets: 'Wallets that the dialog makes and keeps.',
  'embeddedWallets.createOnLogin': 'Who gets a wallet with a login.',
  'embeddedWallets.requireUserOwnedRecoveryOnCreate':
    'Lets nobody have a wallet without a way of recovery that is their own.',
  'embeddedWallets.noPromptOnSignature':
    'Signs without a screen, within limits that the server holds for the app.',
  'embeddedWallets.userOwnedRecoveryOptions': 'Which ways of recovery are offered.',
  'embeddedWallets.waitForTransactionConfirmation': 'Keeps the screen until the chain has confirmed.',
  'embeddedWallets.priceDisplay':
    'Whether a transaction is shown in the currency of its chain, in dollars, or in both.',
  'embeddedWallets.priceDisplay.primary': 'What is shown first. `native-token`, where this is left out.',
  'embeddedWallets.priceDisplay.secondary':
    'What is shown after it. `null` leaves out the dollars, and never the amounts that the person approves.',
  'embeddedWallets.announceProvider':
    'Offers the wallet to the libraries of the page (EIP-6963), under the name of your app. Yes where users get a wallet with a login, where this is left out.',
  fiatOnRamp: 'Buying with money.',
  'fiatOnRamp.enabled': 'Whether it is offered.',
  'fiatOnRamp.useSandbox': 'Pays with play money.',
  captchaEnabled:
    'Asks visitors for a captcha before a login starts. The app needs a `captcha_site_key`; false does not turn off the captcha of the app.',
  captchaSiteKey:
    'The `captcha_site_key` of the app. Another key is refused, because the server could not verify its tokens.',
  supportedChains: 'The numbers of the chains that your page works on.',
  defaultChain: 'The number of the chain that a wallet starts on.',
  rpcUrls: 'Addresses of chains by their numbers. Only those of the app at the server are taken.',
  externalWallets: 'Settings of wallets that the person brings.',
  'externalWallets.walletConnect': 'Wallets on another device, by WalletConnect.',
  'externalWallets.walletConnect.enabled':
    'Whether they are offered, where the app has a WalletConnect project. Yes, where this is left out.',
}

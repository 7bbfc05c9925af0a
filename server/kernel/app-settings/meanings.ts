/** A sentence for each app setting, for `docs/reference/app-settings.md`. */
import { loginMethodRows, type SwitchedLoginMethod } from '@latchkey/protocol'
import type { StoredConfig } from './stored-config.ts'

type Meaning = string | Readonly<Record<string, string>>

/** Returns the sentences of the settings that turn on login methods. */
const loginMeanings = Object.fromEntries(
  (Object.keys(loginMethodRows) as SwitchedLoginMethod[]).map((method) => [
    loginMethodRows[method].setting,
    `Turns on the login method \`${method}\`.`,
  ]),
)

const ownMeanings = {
  logoUrl: 'The logo in the dialog: an https address, or a `data:` URL of an image.',
  iconUrl: 'The icon that stands for the app in requests to other wallets.',
  accentColor: 'The accent color of the dialog, written `#rrggbb`.',
  theme: 'The default theme of the dialog.',
  showWalletLoginFirst: 'Shows external wallets above the other login methods.',
  customApiUrl: "The app's own hostname for the API, with sessions in cookies.",
  allowlistEnabled: 'Lets only users log in that the allowlist contains.',
  allowlistConfig: {
    errorTitle: 'The title of the screen for users who are not on the allowlist.',
    errorDetail: 'The text of that screen.',
    ctaText: 'The label of the link on that screen.',
    ctaLink: 'The https address of that link.',
  },
  allowedNativeAppIds: 'Ids of native apps.',
  allowedNativeAppUrlSchemes: 'URL schemes of native apps.',
  telegramAuthConfig: {
    botId: 'The id of the bot that users log in with.',
    botName: 'The name of that bot, without @.',
    linkEnabled: 'Whether users can link a Telegram account.',
    seamlessAuthEnabled: 'Whether a Mini App of the bot logs its user in without a screen.',
  },
  termsAndConditionsUrl: 'The https address of your terms.',
  privacyPolicyUrl: 'The https address of your privacy policy.',
  requireUsersAcceptTerms: 'Asks new users to accept the terms and the privacy policy.',
  embeddedWalletConfig: {
    createOnLogin: 'Which users get a wallet at login: `users-without-wallets`, `all-users` or `off`.',
    userOwnedRecoveryOptions: 'The recovery methods that users can choose besides automatic recovery.',
    requireUserOwnedRecoveryOnCreate: 'Requires one of these methods for each new wallet.',
    requireUserPasswordOnCreate: 'Requires a recovery password for each new wallet.',
    hostKeyImport:
      'Lets the host page supply the private key of an import. Every script of that page can read it.',
  },
  solanaBesideEthereum:
    'Lets the secret of an Ethereum wallet also derive a Solana address. Without it, a user with an Ethereum wallet gets no Solana wallet.',
  solanaWalletAuth: 'Lets external Solana wallets log in and be linked too, in an app with `wallet_auth`.',
  walletConnectCloudProjectId: 'Your project id at WalletConnect, which the relay requires.',
  rpcUrls: 'The RPC nodes of each chain, in fallback order: `rpc_urls.<chain id>`.',
  solanaRpcUrls:
    'The RPC nodes of each Solana cluster, in fallback order: `solana_rpc_urls.mainnet`, `.devnet` or `.testnet`. Without any, Solana wallets sign messages only.',
  chains: 'Names, symbols and explorers of chains, in addition to the built-in table.',
  testNetworks: 'The ids of test networks, whose assets count as worthless.',
  sponsoredChains:
    'The chains on which users send several calls at once and the server pays the fees. It needs `SPONSORS`.',
  sponsoredClusters:
    'The Solana clusters on which the server pays the fees of sent transactions: `mainnet`, `devnet` or `testnet`. Each needs a payer in `SPONSORS` and a node in `solana_rpc_urls`.',
  sponsorLimits: {
    usdPerDay: 'The most fees in USD that the server pays per day for all users of the app.',
    usdPerUserPerDay: 'The most fees in USD per user and day.',
    usdPerOperation: 'The most fees in USD for one batch of calls or one Solana transaction.',
    minAccountMinutes: 'The age in minutes at which an account gets its first fees paid.',
    calls:
      'The only calls that are paid for, by contract and selector; `null` is every call. With a list, no Solana transaction is paid for.',
  },
  fiatOnRampEnabled: 'Lets users buy coins by card at MoonPay.',
  crossAppProvider: 'Lets registered other apps use the wallets of this app.',
  dappConnections: 'Lets users connect their wallet to a dapp by a WalletConnect link.',
  captchaEnabled: 'Requires a captcha before a login.',
  captchaSiteKey: 'The site key of Turnstile for the captcha.',
  twitterOauthOnMobileEnabled: 'Offers login by Twitter on phones too.',
  oauthTokensToHost: "Lets host pages receive their users' tokens of the provider.",
  crossOriginOpenerPolicy:
    '`same-origin` if your pages send this `Cross-Origin-Opener-Policy`, because pop-ups then cannot reach the dialog.',
  cardTypedData: 'Typed data that the card can approve, by verifying contract and primary type.',
  mfaMethods: 'The second factors that users can enroll: `totp`, `sms`, `passkey`.',
  enforceWalletUis: 'Shows every request to the user, whatever `no_prompt` and the host page allow.',
  legacyWalletUiConfig: 'Has no effect.',
  frameApprovalsUsdPerDay:
    'The amount in USD that one wallet can move per day with approvals on the card; `null` is no limit.',
  frameApprovalsUsdPerDayUnseen:
    'The part of that amount in browsers that cannot detect covers of the card; `null` is no limit.',
  frameMessagesPerDay:
    'The number of plain messages that one wallet can sign per day without the confirmation page; `null` is no limit.',
  cardCalls: 'Contract calls that the card can approve, each with its own daily limit.',
  noPrompt: {
    messages: 'Signs plain messages without a screen, if the host page asks for it.',
    usdPerDay:
      'The limit per day in USD for the values and fees of all calls without a screen; `null` is no limit.',
    calls: 'Contract calls that are signed without a screen, each with its own daily limit.',
    typedData: 'Typed data that is signed without a screen, by verifying contract and primary type.',
  },
  confirmRedirectLogins: 'Shows a confirmation page after a login by a full-page redirect.',
  newMethodHours:
    'The hours during which a new login method or second factor cannot open a wallet on a new device; 0 is no delay.',
  newDeviceMails: 'Sends a mail to users who log in on a device that is new to their account.',
  tokenMetadataKeys:
    'Keys of the public metadata of a user that host tokens contain ([Admin API](../admin-api.md#metadata)).',
  testAccounts:
    'E-mail addresses and phone numbers with a fixed code that is never sent, for development apps.',
} satisfies Partial<Record<keyof StoredConfig, Meaning>>

export const settingMeanings: Readonly<Record<string, Meaning>> = { ...loginMeanings, ...ownMeanings }

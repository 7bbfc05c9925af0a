import * as v from 'valibot'
import { type LoginSetting, loginSettings, methodAppSettings } from './login-methods.ts'
import { appId, epochSeconds, text } from './primitives.ts'
import { findEmbeddedWallet, mfaMethodTypes, type UserRecord } from './user.ts'
import { userOwnedRecoveryOptions } from './wallets/wallet-account.ts'

const link = v.nullable(v.pipe(text, v.url(), v.startsWith('https://')))
const imageAddress = /^(https:\/\/|data:image\/(png|jpeg|webp|svg\+xml);base64,)/
/** A logo is drawn with `<img>`, never followed; data URLs let an app bring its own without a host. */
export const isImageAddress = (address: string): boolean => imageAddress.test(address)
const image = v.nullable(v.pipe(v.string(), v.maxLength(65_536), v.regex(imageAddress)))
export const accentColor = v.pipe(v.string(), v.regex(/^#[0-9a-fA-F]{6}$/, 'A colour is written #rrggbb'))

export const createOnLoginOptions = ['users-without-wallets', 'all-users', 'off'] as const

const loginSwitches = /* @__PURE__ */ Object.fromEntries(
  loginSettings.map((setting) => [setting, v.boolean()]),
) as {
  [Setting in LoginSetting]: v.BooleanSchema<undefined>
}

/** The app as the server says it to anybody: public, no secret in it. */
export const appConfigSchema = v.object({
  id: appId,
  name: text,
  verificationKey: text,
  logoUrl: image,
  iconUrl: image,
  accentColor: v.nullable(accentColor),
  theme: v.nullable(text),
  showWalletLoginFirst: v.boolean(),
  customApiUrl: v.nullable(text),
  createdAt: epochSeconds,
  updatedAt: epochSeconds,
  allowlistEnabled: v.boolean(),
  allowlistConfig: v.object({
    errorTitle: v.exactOptional(v.nullable(text)),
    errorDetail: v.exactOptional(v.nullable(text)),
    ctaText: v.exactOptional(v.nullable(text)),
    ctaLink: v.exactOptional(link),
  }),
  allowedDomains: v.array(text),
  allowedNativeAppIds: v.array(text),
  allowedNativeAppUrlSchemes: v.array(text),
  ...loginSwitches,
  ...methodAppSettings,
  termsAndConditionsUrl: link,
  privacyPolicyUrl: link,
  requireUsersAcceptTerms: v.boolean(),
  embeddedWalletConfig: v.object({
    createOnLogin: v.exactOptional(v.picklist(createOnLoginOptions)),
    userOwnedRecoveryOptions: v.exactOptional(v.array(v.picklist(userOwnedRecoveryOptions))),
    requireUserOwnedRecoveryOnCreate: v.exactOptional(v.boolean()),
    requireUserPasswordOnCreate: v.exactOptional(v.boolean()),
    /** Whether a host may bring the key of a wallet: whoever can read that page has it too. */
    hostKeyImport: v.exactOptional(v.boolean()),
  }),
  walletConnectCloudProjectId: v.nullable(text),
  /** By the number of the chain; where the first does not answer, the next is asked. */
  rpcUrls: v.record(text, v.array(text)),
  /** What the operator's chains are called, where no table has them, or calls them otherwise. */
  chains: v.array(
    v.object({
      id: v.number(),
      name: text,
      /** Of its own money, as are the decimals. */
      symbol: text,
      decimals: v.number(),
      explorerUrl: v.exactOptional(v.pipe(text, v.url(), v.startsWith('https://'))),
      /** A transaction there costs something for its data too, as the chain's GasPriceOracle says. */
      opStack: v.exactOptional(v.boolean()),
    }),
  ),
  /** What is moved on these is worth nothing. */
  testNetworks: v.array(v.number()),
  fiatOnRampEnabled: v.boolean(),
  /** Whether its wallets may be used in other apps, by whom its operator registered. */
  crossAppProvider: v.boolean(),
  /** Whether its users may connect their wallet to a dapp by a link of WalletConnect. */
  dappConnections: v.boolean(),
  captchaEnabled: v.boolean(),
  captchaSiteKey: v.nullable(text),
  twitterOauthOnMobileEnabled: v.boolean(),
  /** Whether a host that asks may have what providers hand out for its users. */
  oauthTokensToHost: v.boolean(),
  /** What the host's pages send, where it keeps a window from whoever opened it; as the operator says it. */
  crossOriginOpenerPolicy: v.nullable(v.literal('same-origin')),
  /** What the operator lets a card approve: whatever else is typed data is confirmed on a page of its own. */
  cardTypedData: v.array(v.object({ contract: text, primaryType: text })),
  mfaMethods: v.array(v.picklist(mfaMethodTypes)),
  enforceWalletUis: v.boolean(),
  legacyWalletUiConfig: v.boolean(),
})
export type AppConfig = v.InferOutput<typeof appConfigSchema>

type CreateOnLogin = (typeof createOnLoginOptions)[number]

const lacksWallet: { [option in CreateOnLogin]: (user: UserRecord) => boolean } = {
  off: () => false,
  'all-users': (user) => findEmbeddedWallet(user) === undefined,
  'users-without-wallets': (user) => !user.linkedAccounts.some((account) => account.type === 'wallet'),
}

/** Whether a login goes on with making a wallet. */
export const needsWallet = (createOnLogin: CreateOnLogin | undefined, user: UserRecord): boolean =>
  lacksWallet[createOnLogin ?? 'off'](user)

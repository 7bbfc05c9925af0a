import * as v from 'valibot'
import { type LoginSetting, loginSettings, methodAppSettings } from './login-methods.ts'
import { mfaMethodTypes } from './mfa-methods.ts'
import { appId, epochSeconds, text } from './primitives.ts'
import { findEmbeddedWallet, type UserRecord } from './user.ts'
import { type ChainType, solanaClusters } from './wallets/chain-types.ts'
import { userOwnedRecoveryOptions } from './wallets/wallet-account.ts'

const link = v.nullable(v.pipe(text, v.url(), v.startsWith('https://')))
const imageAddress = /^(https:\/\/|data:image\/(png|jpeg|webp|svg\+xml);base64,)/
/** Logos are only drawn with `<img>`. Data URLs need no hosting. */
export const isImageAddress = (address: string): boolean => imageAddress.test(address)
const image = v.nullable(v.pipe(v.string(), v.maxLength(65_536), v.regex(imageAddress)))
export const accentColor = v.pipe(v.string(), v.regex(/^#[0-9a-fA-F]{6}$/, 'A colour is written #rrggbb'))

export const createOnLoginOptions = ['users-without-wallets', 'all-users', 'off'] as const

const loginSwitches = /* @__PURE__ */ Object.fromEntries(
  loginSettings.map((setting) => [setting, v.boolean()]),
) as {
  [Setting in LoginSetting]: v.BooleanSchema<undefined>
}

/** The public configuration of an app. It contains no secrets. */
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
    /** Whether a host page may supply the private key. Every script on that page can read the key too. */
    hostKeyImport: v.exactOptional(v.boolean()),
  }),
  /** Whether the secret of an Ethereum wallet may also derive a Solana address. */
  solanaBesideEthereum: v.boolean(),
  /** Whether external Solana wallets log in too, where external wallets do. */
  solanaWalletAuth: v.boolean(),
  walletConnectCloudProjectId: v.nullable(text),
  /** RPC URLs by chain id, in fallback order. */
  rpcUrls: v.record(text, v.array(text)),
  /** RPC URLs by cluster of Solana, in fallback order. Without any, Solana wallets neither sign nor send transactions. */
  solanaRpcUrls: v.record(text, v.array(text)),
  /** Names of chains that the built-in table lacks, or overrides for it. */
  chains: v.array(
    v.object({
      id: v.number(),
      name: text,
      /** Symbol of the native currency, with its decimals below. */
      symbol: text,
      decimals: v.number(),
      explorerUrl: v.exactOptional(v.pipe(text, v.url(), v.startsWith('https://'))),
      /** Whether transactions pay an L1 data fee, as the chain's GasPriceOracle reports. */
      opStack: v.exactOptional(v.boolean()),
    }),
  ),
  /** Test networks. Their assets are worthless. */
  testNetworks: v.array(v.number()),
  /** Chains on which the operator pays for batches of calls (EIP-5792). */
  sponsoredChains: v.array(v.number()),
  /** Clusters of Solana on which the operator pays the fees of sent transactions. */
  sponsoredClusters: v.array(v.picklist(solanaClusters)),
  fiatOnRampEnabled: v.boolean(),
  /** Whether other registered apps may use the wallets of this app. */
  crossAppProvider: v.boolean(),
  /** Whether users may connect their wallet to a dapp with a WalletConnect link. */
  dappConnections: v.boolean(),
  captchaEnabled: v.boolean(),
  captchaSiteKey: v.nullable(text),
  twitterOauthOnMobileEnabled: v.boolean(),
  /** Whether hosts may receive the provider tokens of their users. */
  oauthTokensToHost: v.boolean(),
  /** The opener policy of the host's pages, as configured by the operator. */
  crossOriginOpenerPolicy: v.nullable(v.literal('same-origin')),
  /** Typed data that the card may approve. Other typed data requires the confirmation page. */
  cardTypedData: v.array(v.object({ contract: text, primaryType: text })),
  mfaMethods: v.array(v.picklist(mfaMethodTypes)),
  enforceWalletUis: v.boolean(),
  legacyWalletUiConfig: v.boolean(),
})
export type AppConfig = v.InferOutput<typeof appConfigSchema>

type CreateOnLogin = (typeof createOnLoginOptions)[number]

const lacksWallet: { [option in CreateOnLogin]: (user: UserRecord, chain?: ChainType) => boolean } = {
  off: () => false,
  'all-users': (user, chain) => findEmbeddedWallet(user, chain) === undefined,
  'users-without-wallets': (user, chain) =>
    !user.linkedAccounts.some(
      (account) => account.type === 'wallet' && (!chain || account.chainType === chain),
    ),
}

/** Returns whether a login continues with wallet creation. With a chain, wallets of other chains do not count. */
export const needsWallet = (
  createOnLogin: CreateOnLogin | undefined,
  user: UserRecord,
  chain?: ChainType,
): boolean => lacksWallet[createOnLogin ?? 'off'](user, chain)

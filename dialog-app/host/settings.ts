/**
 * Combines the settings of app and host page. For texts and appearance the host page wins. For the protection of the
 * app and its users, the host page may only add to the app's settings.
 */
import {
  type AppConfig,
  type ClientConfig,
  isImageAddress,
  loginMethods,
  type UserRecord,
} from '@latchkey/protocol'
import type { HostViewport } from '@latchkey/protocol/host'

/** The color scheme that the host page reports. */
export type HostColorScheme = 'light' | 'dark' | 'normal'

/**
 * The visible part of the host page. It is no setting, because it changes with every frame of a keyboard animation.
 */
export type Viewport = Omit<HostViewport, 'address'>

export type Settings = {
  app: AppConfig
  config: ClientConfig
  hostColorScheme: HostColorScheme
  hostOrigin: string | null
  /** The browser does not expose ancestor origins, so the wallet cannot verify the host origin. */
  isHostUnnamed?: boolean
  /** The URL of the host page, or undefined before hello and on a standalone page. */
  pageAddress: string | undefined
  /** The chain that the host page switched to, if any. */
  chosenChain?: number
  /** The origins of dialog, wallet and API. URLs from other parties must not point to them. */
  ownOrigins: readonly string[]
  walletOrigin: string
  /** Service addresses of capabilities by name. Services that the app has disabled are missing. */
  addresses: Readonly<Record<string, string>>
}

export const appName = ({ app, config }: Settings) => config.name ?? app.name

/**
 * Returns whether the page's CSP allows this image: data URLs, the app's own images, and images of the host origin.
 * The loader fetches all others.
 */
export const isDrawable = (address: string, { app, hostOrigin }: Settings): boolean =>
  isImageAddress(address) &&
  (address.startsWith('data:') ||
    [app.logoUrl, app.iconUrl].includes(address) ||
    (URL.canParse(address) && new URL(address).origin === hostOrigin))

/** Returns the host page's logo. An invalid URL keeps the app's logo; an empty string removes it. */
function getHostLogo({ config: { appearance } }: Settings): string | undefined {
  const logo = appearance?.logo
  return logo === '' || (logo && isImageAddress(logo)) ? logo : undefined
}
function getDrawableHostLogo(settings: Settings): string | undefined {
  const logo = getHostLogo(settings)
  return logo && !isDrawable(logo, settings) ? undefined : logo
}
/** Returns whether the loader must fetch the host page's logo. Until then the app's logo is shown. */
export const needsLogoFetch = (settings: Settings): boolean =>
  getHostLogo(settings) !== getDrawableHostLogo(settings)

export const logoUrl = (settings: Settings): string | undefined =>
  (getDrawableHostLogo(settings) ?? settings.app.logoUrl) || undefined
/** A square image for libraries that display the app. */
export const iconUrl = (settings: Settings): string | undefined =>
  (getDrawableHostLogo(settings) ?? settings.app.iconUrl ?? settings.app.logoUrl) || undefined
/** The icon's https URL for wallets on other devices, which load it themselves. */
export function iconAddress(settings: Settings): string | undefined {
  const { iconUrl: icon, logoUrl: logo } = settings.app
  const hostLogo = getHostLogo(settings)
  if (hostLogo === '') return undefined
  return [hostLogo, icon, logo].find((address) => address?.startsWith('https:')) ?? undefined
}

export const termsUrl = ({ app, config }: Settings) =>
  config.legal?.termsAndConditionsUrl ?? app.termsAndConditionsUrl ?? undefined
export const privacyUrl = ({ app, config }: Settings) =>
  config.legal?.privacyPolicyUrl ?? app.privacyPolicyUrl ?? undefined

export const requiresTerms = ({ app, config }: Settings) =>
  app.requireUsersAcceptTerms || config.legal?.requireUsersAcceptTerms === true

/** Returns whether the terms must be accepted first, by this user or by an unknown one. */
export const mustAcceptTerms = (settings: Settings, user?: UserRecord) =>
  requiresTerms(settings) && user?.hasAcceptedTerms !== true

/** Whether a login starts with a captcha. A host page can add one, but not remove that of the app. */
export const requiresCaptcha = ({ app, config }: Settings) =>
  app.captchaEnabled || config.captchaEnabled === true

/** Returns the login methods of the host page, in its order. */
export const getHostMethods = ({
  loginMethods: chosen,
  loginMethodsAndOrder: order,
}: ClientConfig): readonly string[] =>
  order ? [...order.primary, ...(order.overflow ?? [])] : (chosen ?? loginMethods)

/** Returns the group of login methods that comes first if the host page does not order them. */
export const groupPriority = ({ app, config }: Settings) =>
  config.appearance?.loginGroupPriority ?? (app.showWalletLoginFirst ? 'web3-first' : 'web2-first')

export const createOnLogin = ({ app, config }: Settings) =>
  getHostCreation(config).ethereum ?? app.embeddedWalletConfig.createOnLogin

/** Returns the setting of the host page per chain. A single value is about Ethereum. */
function getHostCreation({ embeddedWallets }: ClientConfig) {
  const option = embeddedWallets?.createOnLogin
  return typeof option === 'object' ? option : { ethereum: option }
}

/** Returns whether users choose a recovery method before their wallet is created. */
export const requiresRecoveryChoice = ({ app: { embeddedWalletConfig: ofApp }, config }: Settings) =>
  [
    ofApp.requireUserOwnedRecoveryOnCreate,
    ofApp.requireUserPasswordOnCreate,
    config.embeddedWallets?.requireUserOwnedRecoveryOnCreate,
  ].includes(true)

/** Returns whether signing may skip the approval: the host page disables it, and the app does not enforce it. */
export const maySignSilently = ({ app, config }: Settings) =>
  config.embeddedWallets?.noPromptOnSignature === true && !app.enforceWalletUis

/** Returns whether users can buy crypto. A host page can disable it, but not enable it. */
export const hasFunding = ({ app, config }: Settings) =>
  app.fiatOnRampEnabled && config.fiatOnRamp?.enabled !== false

/** Whether users may connect their wallet to a dapp by a link of WalletConnect. */
export const allowsDappConnections = ({ app, addresses }: Settings): boolean =>
  app.dappConnections && app.walletConnectCloudProjectId !== null && addresses.walletConnect !== undefined

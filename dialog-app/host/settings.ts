/**
 * What the app and the host decide together, all of it here. In words and looks a setting of the host wins over the
 * app's. In what protects the app or its users the host may ask for more than the app does, never for less.
 */
import {
  type AppConfig,
  type ClientConfig,
  isImageAddress,
  loginMethods,
  type UserRecord,
} from '@latchkey/protocol'
import type { HostViewport } from '@latchkey/protocol/host'

/** How the host's page looks, as it says itself. */
export type HostColorScheme = 'light' | 'dark' | 'normal'

/** Where the host's own view ends. It is no setting: it changes with every frame of a keyboard that comes up. */
export type Viewport = Omit<HostViewport, 'address'>

export type Settings = {
  app: AppConfig
  config: ClientConfig
  hostColorScheme: HostColorScheme
  hostOrigin: string | null
  /** The browser does not name the pages around a frame, so the wallet cannot verify the origin of the host. */
  isHostUnnamed?: boolean
  /** Where the host's page stands; undefined before it said so, and standalone. */
  pageAddress: string | undefined
  /** The chain that the page moved its wallet to; undefined before it did. */
  chosenChain?: number
  /** Of the dialog, the wallet and the API: no address that somebody else names leads there. */
  ownOrigins: readonly string[]
  walletOrigin: string
  /** Where capabilities find others, by name; of what the app has off there is none. */
  addresses: Readonly<Record<string, string>>
}

export const appName = ({ app, config }: Settings) => config.name ?? app.name

/**
 * What the policy of this page lets it draw: data, what the app's settings name, and images of the host itself. From
 * elsewhere the loader fetches them.
 */
export const isDrawable = (address: string, { app, hostOrigin }: Settings): boolean =>
  isImageAddress(address) &&
  (address.startsWith('data:') ||
    [app.logoUrl, app.iconUrl].includes(address) ||
    (URL.canParse(address) && new URL(address).origin === hostOrigin))

/** Any other address than that of an image is none, and the app's own logo stands; an empty one takes it away. */
function logoOfHost({ config: { appearance } }: Settings): string | undefined {
  const logo = appearance?.logo
  return logo === '' || (logo && isImageAddress(logo)) ? logo : undefined
}
function drawnLogoOfHost(settings: Settings): string | undefined {
  const logo = logoOfHost(settings)
  return logo && !isDrawable(logo, settings) ? undefined : logo
}
/** Until the loader has sent it, the app's own stands. */
export const logoIsElsewhere = (settings: Settings): boolean =>
  logoOfHost(settings) !== drawnLogoOfHost(settings)

export const logoUrl = (settings: Settings): string | undefined =>
  (drawnLogoOfHost(settings) ?? settings.app.logoUrl) || undefined
/** A square picture, for the libraries that the app is named to. */
export const iconUrl = (settings: Settings): string | undefined =>
  (drawnLogoOfHost(settings) ?? settings.app.iconUrl ?? settings.app.logoUrl) || undefined
/** The same for wallets on another device, which load it by its address. */
export function iconAddress(settings: Settings): string | undefined {
  const { iconUrl: icon, logoUrl: logo } = settings.app
  const ofHost = logoOfHost(settings)
  if (ofHost === '') return undefined
  return [ofHost, icon, logo].find((address) => address?.startsWith('https:')) ?? undefined
}

export const termsUrl = ({ app, config }: Settings) =>
  config.legal?.termsAndConditionsUrl ?? app.termsAndConditionsUrl ?? undefined
export const privacyUrl = ({ app, config }: Settings) =>
  config.legal?.privacyPolicyUrl ?? app.privacyPolicyUrl ?? undefined

export const requiresTerms = ({ app, config }: Settings) =>
  app.requireUsersAcceptTerms || config.legal?.requireUsersAcceptTerms === true

/** The user, or somebody who is not known yet, has to accept the terms on a screen of their own. */
export const termsAreDue = (settings: Settings, user?: UserRecord) =>
  requiresTerms(settings) && user?.hasAcceptedTerms !== true

/** Whether a login starts with a captcha. A host page can add one, but not remove that of the app. */
export const captchaIsOn = ({ app, config }: Settings) => app.captchaEnabled || config.captchaEnabled === true

/** The login methods that the host would have, in its order. */
export const wantedMethods = ({
  loginMethods: chosen,
  loginMethodsAndOrder: order,
}: ClientConfig): readonly string[] =>
  order ? [...order.primary, ...(order.overflow ?? [])] : (chosen ?? loginMethods)

/** Which group of login methods stands first where the host did not order them. */
export const groupPriority = ({ app, config }: Settings) =>
  config.appearance?.loginGroupPriority ?? (app.showWalletLoginFirst ? 'web3-first' : 'web2-first')

export const createOnLogin = ({ app, config }: Settings) =>
  config.embeddedWallets?.createOnLogin ?? app.embeddedWalletConfig.createOnLogin

/** The user says first how a new wallet is kept. */
export const recoveryIsChosen = ({ app: { embeddedWalletConfig: ofApp }, config }: Settings) =>
  [
    ofApp.requireUserOwnedRecoveryOnCreate,
    ofApp.requireUserPasswordOnCreate,
    config.embeddedWallets?.requireUserOwnedRecoveryOnCreate,
  ].includes(true)

/** Whether the host would have nobody asked, and the app does not have every request shown. */
export const maySignSilently = ({ app, config }: Settings) =>
  config.embeddedWallets?.noPromptOnSignature === true && !app.enforceWalletUis

/** Whether its user can add money here. A host may do without it, and not have it where the app has it off. */
export const fundingIsOn = ({ app, config }: Settings) =>
  app.fiatOnRampEnabled && config.fiatOnRamp?.enabled !== false

/** Whether users may connect their wallet to a dapp by a link of WalletConnect. */
export const connectsDapps = ({ app, addresses }: Settings): boolean =>
  app.dappConnections && app.walletConnectCloudProjectId !== null && addresses.walletConnect !== undefined

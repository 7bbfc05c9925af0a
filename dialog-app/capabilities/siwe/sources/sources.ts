/** Wallet sources: the host page, a relay, or an app on this phone. */
import { LatchkeyError, product } from '@latchkey/protocol'
import type { DialogServices } from '../../../app/services.ts'
import type { HostPage } from '../../../browser/ports.ts'
import type { Settings } from '../../../host/settings.ts'
import type { ConnectedWallet, Connector, OpenConnector } from './connector.ts'
import { createFoundWallets, type FoundWallets } from './found-wallets.ts'
import { createHeldConnections, type HeldConnections } from './held-connections.ts'
import { type OfferedWallet, offerWallets } from './offered-wallets.ts'
import { pageConnector, solanaPageConnector } from './page-connector.ts'

export type Phone = 'ios' | 'android'

/** Browser values, replaced in tests. */
export type Device = {
  userAgent: string
  /** The dialog's own URL. */
  address: string
}

/** A WalletConnect pairing. Another phone scans the URI as a QR code; this phone opens the link. */
export type Meeting = {
  uri: string
  link: string | undefined
  /** Whether the wallet also has an extension for this browser. */
  canInstall: boolean
}

export type WalletSources = Pick<FoundWallets, 'look' | 'briefly' | 'inTime' | 'returnTo' | 'takeReturn'> & {
  /** Returns the wallets to choose from, in display order. */
  offered: () => readonly OfferedWallet[]
  /** The same with Solana wallets. */
  offeredForLogin: WalletSources['offered']
  open: (wallet: OfferedWallet) => Promise<Connector>
  meetingAt: (uri: string, wallet: OfferedWallet) => Meeting
  /** Returns the link to a joined wallet's app on this phone, where the user approves requests. */
  appOf: (wallet: OfferedWallet, connected: ConnectedWallet) => string | undefined
  phone: Phone | undefined
  /** Returns the origin of the requesting page: the host page, or the standalone dialog. */
  origin: () => string
  /** Returns the URL that continues the login in the wallet's own browser. */
  pageToReturnTo: (key: string) => string
  /** Stores the wallet as the last used one, which is listed first. */
  remember: (wallet: OfferedWallet) => void
  lastUsed: () => string | undefined
  held: HeldConnections
}

type Ports = Pick<DialogServices, 'clock' | 'settings' | 'store'> & { page: HostPage }

export function createWalletSources(
  ports: Ports,
  { userAgent, address }: Device,
  relay: OpenConnector | undefined,
): WalletSources {
  const { page, settings, store } = ports
  const foundWallets = createFoundWallets(ports)
  const phone = detectPhone(userAgent)
  const openRelay = () => (hasWalletConnect(settings()) ? relay : undefined)
  /** Returns the URL of the requesting page. */
  function pageAddress(): string {
    const { hostOrigin, pageAddress } = settings()
    return hostOrigin === null ? address : (pageAddress ?? hostOrigin)
  }
  const storedName = () => product.storageName(settings().app.id, 'last-wallet')

  function lastUsed(): string | undefined {
    try {
      return store.read(storedName()) ?? undefined
    } catch {
      return undefined
    }
  }

  const getSurroundings = () => ({
    list: settings().config.appearance?.walletList,
    found: foundWallets.present(),
    isPhone: phone !== undefined,
    hasRelay: openRelay() !== undefined,
    first: [...foundWallets.holders(), lastUsed() ?? []].flat(),
  })

  return {
    look: foundWallets.look,
    briefly: foundWallets.briefly,
    inTime: foundWallets.inTime,
    returnTo: foundWallets.returnTo,
    takeReturn: foundWallets.takeReturn,
    offered: () => offerWallets(getSurroundings()),
    offeredForLogin: () => offerWallets({ ...getSurroundings(), solana: foundWallets.solana() }),
    async open({ way }) {
      if (way.type === 'page')
        return way.isSolana ? solanaPageConnector(page, way.id) : pageConnector(page, way.id)
      const open = way.type === 'relay' ? openRelay() : undefined
      if (open) return open()
      throw new LatchkeyError('generic_connect_wallet_error', 'Nothing leads to this wallet')
    },
    meetingAt: (uri, { way }) => ({
      uri,
      link: phone && way.type === 'relay' ? linkTo(uri, way.wallet?.relay) : undefined,
      canInstall: way.type === 'relay' && way.wallet !== undefined && phone === undefined,
    }),
    appOf: ({ way }, { appLink }) =>
      phone && way.type === 'relay' ? (way.wallet?.relay?.replace(/\?uri=$/, '') ?? appLink) : undefined,
    phone,
    origin: () => settings().hostOrigin ?? new URL(address).origin,
    pageToReturnTo(key) {
      const returned = new URL(pageAddress())
      returned.searchParams.set(product.query.connector, 'injected')
      returned.searchParams.set(product.query.walletClient, key)
      return returned.href
    },
    remember({ key }) {
      try {
        store.write(storedName(), key)
      } catch {
        // Without storage, the default order applies.
      }
    },
    lastUsed,
    held: createHeldConnections(),
  }
}

const hasWalletConnect = ({ app, config }: Settings) =>
  app.walletConnectCloudProjectId !== null && config.externalWallets?.walletConnect?.enabled !== false

const linkTo = (uri: string, app: string | undefined) => (app ? `${app}${encodeURIComponent(uri)}` : uri)

/** iPads identify as Macs and count as desktops. They support no wallet extensions, as the guide explains. */
function detectPhone(userAgent: string): Phone | undefined {
  if (/\biP(hone|ad|od)\b/.test(userAgent)) return 'ios'
  return /\bAndroid\b/.test(userAgent) ? 'android' : undefined
}

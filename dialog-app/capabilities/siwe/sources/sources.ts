/** Where wallets come from: the page of the host, a relay, or an app on this phone. */
import { LatchkeyError, product } from '@latchkey/protocol'
import type { DialogServices } from '../../../app/services.ts'
import type { HostPage } from '../../../browser/ports.ts'
import type { Settings } from '../../../host/settings.ts'
import type { ConnectedWallet, Connector, OpenConnector } from './connector.ts'
import { createFoundWallets, type FoundWallets } from './found-wallets.ts'
import { createHeldConnections, type HeldConnections } from './held-connections.ts'
import { type OfferedWallet, offerWallets } from './offered-wallets.ts'
import { pageConnector } from './page-connector.ts'

export type Phone = 'ios' | 'android'

/** A test says these beside the ports, instead of the browser. */
export type Device = {
  userAgent: string
  /** The address of the dialog's own page. */
  address: string
}

/** Where a phone joins: it scans the code, or follows the link if it is this one. */
export type Meeting = {
  uri: string
  link: string | undefined
  /** The wallet has an extension, too, that can be installed. */
  canInstall: boolean
}

export type WalletSources = Pick<FoundWallets, 'look' | 'briefly' | 'returnTo' | 'takeReturn'> & {
  /** The wallets that there are to choose from now. */
  offered: () => readonly OfferedWallet[]
  open: (wallet: OfferedWallet) => Promise<Connector>
  meetingAt: (uri: string, wallet: OfferedWallet) => Meeting
  /** The link leads back to the app of a wallet that joined from this phone, to answer there. */
  appOf: (wallet: OfferedWallet, connected: ConnectedWallet) => string | undefined
  phone: Phone | undefined
  /** The origin of the page that asks the wallet: the dialog's own where there is no host. */
  origin: () => string
  /** The login goes on at this address in the browser of the wallet. */
  pageToReturnTo: (key: string) => string
  /** The wallet stands first from now on, in this browser. */
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
  const found = createFoundWallets(ports)
  const phone = phoneOf(userAgent)
  const openRelay = () => (hasWalletConnect(settings()) ? relay : undefined)
  /** The address of the page that asks the wallet. */
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

  return {
    look: found.look,
    briefly: found.briefly,
    returnTo: found.returnTo,
    takeReturn: found.takeReturn,
    offered: () =>
      offerWallets({
        list: settings().config.appearance?.walletList,
        found: found.present(),
        isPhone: phone !== undefined,
        hasRelay: openRelay() !== undefined,
        first: [...found.holders(), lastUsed() ?? []].flat(),
      }),
    async open({ way }) {
      if (way.type === 'page') return pageConnector(page, way.id)
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
        // A browser that keeps nothing has no order of its own.
      }
    },
    lastUsed,
    held: createHeldConnections(),
  }
}

const hasWalletConnect = ({ app, config }: Settings) =>
  app.walletConnectCloudProjectId !== null && config.externalWallets?.walletConnect?.enabled !== false

const linkTo = (uri: string, app: string | undefined) => (app ? `${app}${encodeURIComponent(uri)}` : uri)

/** An iPad says that it is a Mac, and is treated as one: it has no wallet's extension, and the guide says so. */
function phoneOf(userAgent: string): Phone | undefined {
  if (/\biP(hone|ad|od)\b/.test(userAgent)) return 'ios'
  return /\bAndroid\b/.test(userAgent) ? 'android' : undefined
}

/**
 * The EIP-1193 provider of an app on this page, and its announcement (EIP-6963). Its methods come with the
 * second file; earlier calls wait for it.
 *
 * Libraries reconnect once, on mount, before a dialog can have loaded. So the second file stores the last
 * announcement in the page's storage, and the next page repeats it immediately.
 * https://eips.ethereum.org/EIPS/eip-6963
 */
import {
  appLimits,
  channelLimits,
  type LatchkeyError,
  productKey,
  providerMark,
  providerRdns,
} from '@latchkey/protocol'
import type { EthereumProvider } from '../types/options.ts'

export type Announcement = { name: string; icon: string }
type Methods = Record<string, (...args: unknown[]) => unknown>
type ProviderClient = {
  /** Loads the second file, which calls `implement`. */
  loadMethods: () => Promise<unknown>
  /** Returns the error of a destroyed client. The provider is not announced until the app's next client. */
  whyDestroyed: () => LatchkeyError | undefined
}
export type PageProvider = {
  provider: EthereumProvider
  implement: (methods: object) => void
  /** Announces the provider once, because an announcement cannot be revoked. */
  announce: (announcement: Announcement) => void
  /** Repeats the stored announcement. */
  restore: () => void
}
type ReusableProvider = PageProvider & {
  /** Attaches the next client once the previous one is destroyed. */
  attach: (client: ProviderClient) => ReusableProvider | undefined
}

/** Providers by app id. They outlive their clients, because libraries keep references. */
const providers = new Map<string, ReusableProvider>()

export function getOrCreateProvider(appId: string, client: ProviderClient): PageProvider {
  const provider = providers.get(appId)?.attach(client) ?? create(appId, client)
  providers.set(appId, provider)
  return provider
}

export const announcementKey = (appId: string) => `${productKey}:${appId}:provider`

function create(appId: string, firstClient: ProviderClient): ReusableProvider {
  let client = firstClient
  let implementation: Methods | undefined
  let dispatch: (() => void) | undefined

  // Not frozen, because libraries write to it.
  const methods = { [Symbol.for(providerMark)]: true } as unknown as Methods
  for (const name of 'request enable on once off removeListener'.split(' ')) {
    methods[name] = (...args) => {
      const run = () => implementation?.[name]?.(...args)
      if (implementation) return run()
      const answer = client.loadMethods().then(run)
      answer.catch(() => {})
      return name === 'request' || name === 'enable' ? answer : methods
    }
  }
  const provider = methods as unknown as EthereumProvider

  const own: ReusableProvider = {
    provider,
    attach(next) {
      if (!client.whyDestroyed()) return
      client = next
      // Load now, so that existing event listeners receive the next client's events without a call.
      if (implementation) next.loadMethods().catch(() => {})
      implementation = undefined
      dispatch?.()
      return own
    },
    implement(methods) {
      implementation = methods as Methods
    },
    announce(announcement) {
      if (dispatch) return
      const info = Object.freeze({ uuid: randomUuid(), ...announcement, rdns: providerRdns })
      const event = { detail: Object.freeze({ info, provider }) }
      dispatch = () => {
        if (!client.whyDestroyed()) dispatchEvent(new CustomEvent('eip6963:announceProvider', event))
      }
      addEventListener('eip6963:requestProvider', dispatch)
      dispatch()
    },
    restore() {
      try {
        own.announce(readAnnouncement(localStorage.getItem(announcementKey(appId))))
        // The second file updates or removes the stored announcement.
        client.loadMethods().catch(() => {})
      } catch {
        // Nothing is stored, or storage is unavailable: libraries wait for the dialog, as on a first visit.
      }
    },
  }
  return own
}

/**
 * Returns a version 4 UUID (RFC 9562). `crypto.randomUUID` is missing on pages without a secure context, but
 * every blob URL ends with a UUID (https://w3c.github.io/FileAPI/#unicodeBlobURL).
 */
const randomUuid = () => URL.createObjectURL(new Blob()).slice(-36)

/** Validates the stored announcement, which any script of the origin may have written. */
function readAnnouncement(text: string | null): Announcement {
  const { name, icon } = JSON.parse(text ?? '')
  const isText = (value: unknown, maxLength: number) =>
    typeof value === 'string' && value !== '' && value.length <= maxLength
  const isValid =
    isText(name, appLimits.maxNameLength) &&
    isText(icon, channelLimits.maxMessageBytes) &&
    icon.startsWith('data:image/')
  if (!isValid) throw new TypeError()
  return { name, icon }
}

/**
 * The provider that an app has on this page, and its announcement (EIP-6963). Its methods come with the second file;
 * calls before that wait for it. Libraries reconnect once, when they mount, which is before a dialog can have come: so
 * the second file stores the last announcement in the page's storage, by app, and the next page repeats it at once.
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
  /** Ends with `implement`. */
  loadMethods: () => Promise<unknown>
  /** Nothing is announced between a client that was destroyed and the next one of its app. */
  whyDestroyed: () => LatchkeyError | undefined
}
export type PageProvider = {
  provider: EthereumProvider
  implement: (methods: object) => void
  /** Libraries are told once, because what they found cannot be taken back. */
  announce: (announcement: Announcement) => void
  /** Announces what is stored. */
  restore: () => void
}
type ReusableProvider = PageProvider & {
  /** For the next client, once its own was destroyed. */
  attach: (client: ProviderClient) => ReusableProvider | undefined
}

/** They outlive their clients, because libraries keep what they found. */
const providers = new Map<string, ReusableProvider>()

export function pageProvider(appId: string, client: ProviderClient): PageProvider {
  const provider = providers.get(appId)?.attach(client) ?? create(appId, client)
  providers.set(appId, provider)
  return provider
}

export const announcementKey = (appId: string) => `${productKey}:${appId}:provider`

function create(appId: string, firstClient: ProviderClient): ReusableProvider {
  let client = firstClient
  let implementation: Methods | undefined
  let dispatch: (() => void) | undefined

  // Libraries write on it: it is not frozen.
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
      // Events that a library listens to come from the next client without a call.
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
        // It stores what the dialog announces now, or forgets.
        client.loadMethods().catch(() => {})
      } catch {
        // Nothing is stored, or the page may use no storage: libraries wait for the dialog, as at a first visit.
      }
    },
  }
  return own
}

/**
 * Version 4 of RFC 9562. `crypto.randomUUID` is missing on pages that are no secure context; the address of a blob, here
 * of an empty one, ends with one everywhere (https://w3c.github.io/FileAPI/#unicodeBlobURL).
 */
const randomUuid = () => URL.createObjectURL(new Blob()).slice(-36)

/** Any script of the page's origin may have written there, now or years ago. */
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

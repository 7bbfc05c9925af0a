/** The browser features of a login in a separate window: windows, randomness, user agent. */
import { oauthLimits } from '@latchkey/protocol'
import { toBase64url } from '../browser/base64url.ts'
import { browserRandom } from '../browser/browser-ports.ts'

export type WindowBrowser = {
  /** The dialog's origin. */
  origin: string
  /** The dialog's full URL. */
  address: string
  userAgent: string
  /** Navigates the top-level page; requires earlier user activation. */
  leaveFor: (address: string) => void
  secret: () => string
  /** RFC 7636, S256. */
  createChallenge: (secret: string) => Promise<string>
  /** Creates the non-extractable key pair of one handle. */
  startKey: () => Promise<StartKey>
  /** Returns two random digits for the card. */
  digits: () => string
  /**
   * Opens a window; must be called in a click. Undefined if none opened, or if the host page's opener policy
   * (`Cross-Origin-Opener-Policy: same-origin`) hides it.
   */
  open: (address: string, size?: PopupSize) => LoginWindow | undefined
}

export type PopupSize = { popupWidthPx: number; popupHeightPx: number }

export type StartKey = {
  /** The uncompressed public key in base64url. */
  publicKey: string
  sign: (text: string) => Promise<string>
}

export type LoginWindow = {
  /** Only a hint: also true for an open window if its page has an opener policy. */
  isClosed: () => boolean
  close: () => void
  /** Receives the messages and origins of the window's pages until the signal aborts. */
  listen: (hear: Hear, signal: AbortSignal) => void
  /** Sends a message that only a page of the dialog's own origin receives. */
  tell: (message: unknown) => void
}

export type Hear = (data: unknown, origin: string) => void

type OpenedWindow = Pick<Window, 'closed' | 'close'> & {
  postMessage(message: unknown, origin: string): void
}
type Message = Pick<MessageEvent<unknown>, 'origin' | 'source' | 'data'>
/** The dialog's own window. */
export type OwnWindow = Pick<Window, 'screenX' | 'screenY' | 'outerWidth' | 'outerHeight'> & {
  location: Pick<Location, 'origin' | 'href'>
  top: { location: { href: string } } | null
  navigator: Pick<Navigator, 'userAgent'>
  open(address: string, name: string, features: string): OpenedWindow | null
  addEventListener(type: 'message', hear: (message: Message) => void, options: { signal: AbortSignal }): void
}

export function windowBrowser(own: OwnWindow): WindowBrowser {
  const { origin } = own.location

  /** Centres the popup on the window that opens it. */
  function features({ popupWidthPx: width, popupHeightPx: height }: PopupSize): string {
    const left = Math.round(own.screenX + (own.outerWidth - width) / 2)
    const top = Math.round(own.screenY + (own.outerHeight - height) / 2)
    return `popup,width=${width},height=${height},left=${left},top=${top}`
  }

  return {
    origin,
    address: own.location.href,
    userAgent: own.navigator.userAgent,
    leaveFor(address) {
      if (own.top) own.top.location.href = address
    },
    secret: () => browserRandom.id(oauthLimits.secretBytes),
    async createChallenge(secret) {
      const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret))
      return toBase64url(new Uint8Array(digest))
    },
    startKey,
    digits: () => twoDigits(crypto.getRandomValues(new Uint32Array(1))[0] ?? 0),
    open(address, size = oauthLimits) {
      const popup = own.open(address, '_blank', features(size))
      if (!popup) return undefined
      return {
        isClosed: () => popup.closed,
        close: () => popup.close(),
        tell: (message) => popup.postMessage(message, origin),
        listen(hear, signal) {
          own.addEventListener(
            'message',
            ({ origin: from, source, data }) => {
              if (source === popup) hear(data, from)
            },
            { signal },
          )
        },
      }
    },
  }
}

const twoDigits = (random: number) => String(random % 100).padStart(2, '0')

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

async function startKey(): Promise<StartKey> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify'])
  return {
    publicKey: toBase64url(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey))),
    async sign(text) {
      const signature = await crypto.subtle.sign(algorithm, privateKey, new TextEncoder().encode(text))
      return toBase64url(new Uint8Array(signature))
    },
  }
}

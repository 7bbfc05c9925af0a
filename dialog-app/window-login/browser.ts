/** The browser behind a login in a window of its own: its windows, its randomness, its name. */
import { oauthLimits } from '@latchkey/protocol'
import { toBase64url } from '../base64url.ts'
import { browserRandom } from '../browser-ports.ts'

export type WindowBrowser = {
  /** The dialog's own. */
  readonly origin: string
  /** The dialog's own, whole. */
  readonly address: string
  readonly userAgent: string
  /** Takes the whole page away, the host's around us too; the user has touched it before. */
  readonly leaveFor: (address: string) => void
  readonly secret: () => string
  /** RFC 7636, S256. */
  readonly challengeOf: (secret: string) => Promise<string>
  /**
   * Opens a window if it is called in a click. Undefined where none came, or where the host page's opener policy
   * (`Cross-Origin-Opener-Policy: same-origin`) lets us see nothing of the one that came.
   */
  readonly open: (address: string) => LoginWindow | undefined
}

export type LoginWindow = {
  /** True also of one that is open, once a page in it has an opener policy: a hint, and no more. */
  readonly isClosed: () => boolean
  readonly close: () => void
  /** What its pages say to their opener, and of which origin they are, until the signal ends. */
  readonly listen: (hear: Hear, signal: AbortSignal) => void
}

export type Hear = (data: unknown, origin: string) => void

type OpenedWindow = Pick<Window, 'closed' | 'close'>
type Message = Pick<MessageEvent<unknown>, 'origin' | 'source' | 'data'>
/** The window that the dialog is in. */
export type OwnWindow = Pick<Window, 'screenX' | 'screenY' | 'outerWidth' | 'outerHeight'> & {
  readonly location: Pick<Location, 'origin' | 'href'>
  readonly top: { readonly location: { href: string } } | null
  readonly navigator: Pick<Navigator, 'userAgent'>
  open(address: string, name: string, features: string): OpenedWindow | null
  addEventListener(
    type: 'message',
    hear: (message: Message) => void,
    options: { readonly signal: AbortSignal },
  ): void
}

export function windowBrowser(own: OwnWindow): WindowBrowser {
  const { origin } = own.location

  /** In the middle of the window that it comes from. */
  function features(): string {
    const { popupWidthPx: width, popupHeightPx: height } = oauthLimits
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
    async challengeOf(secret) {
      const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret))
      return toBase64url(new Uint8Array(digest))
    },
    open(address) {
      const opened = own.open(address, '_blank', features())
      if (!opened) return undefined
      return {
        isClosed: () => opened.closed,
        close: () => opened.close(),
        listen(hear, signal) {
          own.addEventListener(
            'message',
            ({ origin: from, source, data }) => {
              if (source === opened) hear(data, from)
            },
            { signal },
          )
        },
      }
    },
  }
}

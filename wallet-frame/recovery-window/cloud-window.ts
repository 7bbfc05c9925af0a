/**
 * Opens a cloud's sign-in window from this page of the wallet origin, so that only this page receives the
 * result.
 *
 * Apple's page posts the result to its opener. Opened in this window itself, that would be the dialog. Google
 * redirects to a page of this origin, which posts the result over a BroadcastChannel of this origin to the
 * window with the state: a page on the way may sever the opener. State and verifier are created here and
 * leave this page only with the code.
 */
import { LatchkeyError, oauthLimits } from '@latchkey/protocol'
import { type CloudRecovery, type CloudSignIn, cloudChannel } from '@latchkey/protocol/wallet'
import { base64urlnopad } from '@scure/base'
import * as v from 'valibot'
import type { Clock } from '../clock.ts'

/** An open sign-in window of a cloud. */
export type CloudWindow = {
  result: Promise<CloudSignIn>
  /** Only a hint: a window reads as closed if its page has an opener policy. */
  isClosed: () => boolean
  stop: () => void
}
/** Opens the window. Call it inside the press. Returns undefined if the browser blocks the window. */
export type OpenCloud = () => CloudWindow | undefined

export type StartSignIn = (holding: {
  codeChallenge: string
  stateCode: string
}) => Promise<{ url: string; origin: string | null }>

type OpenedWindow = Pick<Window, 'closed' | 'close'>
type Message = Pick<MessageEvent<unknown>, 'data' | 'origin' | 'source'>

/** The browser functions that a sign-in window needs. */
export type CloudBrowser = {
  open: (address: string) => OpenedWindow | null
  listen: (listener: (message: Message) => void, signal: AbortSignal) => void
  /** Opens a channel between windows of this origin. */
  channel: () => Pick<BroadcastChannel, 'postMessage' | 'close' | 'onmessage'>
  secret: () => string
  clock: Clock
}

export const prepareCloud: {
  [cloud in CloudRecovery]: (browser: CloudBrowser, addressOf: StartSignIn) => Promise<OpenCloud>
} = {
  async 'google-drive'(browser, addressOf) {
    const [stateCode, codeVerifier] = [browser.secret(), browser.secret()]
    const { url } = await addressOf({ stateCode, codeChallenge: await createCodeChallenge(codeVerifier) })
    return () =>
      openWindow(browser, url, (_window, settle, signal) => {
        const channel = browser.channel()
        signal.addEventListener('abort', () => channel.close())
        channel.onmessage = ({ data }) => {
          const answer = v.safeParse(answerSchema, data)
          if (!answer.success || answer.output.state !== stateCode) return
          channel.postMessage({ type: cloudChannel.heard, state: stateCode })
          const { code: authorizationCode, error } = answer.output
          if (authorizationCode === '') {
            settle.reject(signInError(error === 'access_denied' ? 'oauth_user_denied' : 'oauth_unexpected'))
          } else {
            settle.resolve({
              method: 'google-drive',
              code: { authorizationCode, stateCode, codeVerifier },
            })
          }
        }
      })
  },

  async icloud(browser, addressOf) {
    const [stateCode, codeChallenge] = [browser.secret(), browser.secret()]
    const { url, origin } = await addressOf({ stateCode, codeChallenge })
    return () =>
      openWindow(browser, url, (window, settle, signal) =>
        browser.listen((message) => {
          if (message.origin !== origin || message.source !== window) return
          const session = v.safeParse(sessionSchema, message.data)
          if (session.success) settle.resolve({ method: 'icloud', session: session.output.ckSession })
        }, signal),
      )
  },
}

function openWindow(
  browser: CloudBrowser,
  url: string,
  listener: (window: OpenedWindow, settle: PromiseWithResolvers<CloudSignIn>, signal: AbortSignal) => void,
): CloudWindow | undefined {
  const window = browser.open(url)
  if (!window) return undefined
  const settle = Promise.withResolvers<CloudSignIn>()
  const over = new AbortController()
  listener(window, settle, over.signal)
  const cancelTimeout = browser.clock.after(oauthLimits.windowMs, () =>
    settle.reject(signInError('client_request_timeout')),
  )
  function stop() {
    cancelTimeout()
    over.abort()
    window?.close()
  }
  return { result: settle.promise.finally(stop), isClosed: () => window.closed, stop }
}

const answerSchema = v.object({
  type: v.literal(cloudChannel.answer),
  state: v.string(),
  code: v.string(),
  error: v.string(),
})
const sessionSchema = v.object({ ckSession: v.pipe(v.string(), v.nonEmpty()) })

async function createCodeChallenge(verifier: string): Promise<string> {
  const hashed = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return base64urlnopad.encode(new Uint8Array(hashed))
}

const signInError = (code: 'oauth_user_denied' | 'oauth_unexpected' | 'client_request_timeout') =>
  new LatchkeyError(code, 'The cloud sign-in did not complete')

export function createCloudBrowser(window: Window, clock: Clock): CloudBrowser {
  const { screenX, screenY, outerWidth, outerHeight } = window
  const { popupWidthPx: width, popupHeightPx: height } = oauthLimits
  const left = Math.round(screenX + (outerWidth - width) / 2)
  const top = Math.round(screenY + (outerHeight - height) / 2)
  return {
    open: (address) =>
      window.open(address, '_blank', `popup,width=${width},height=${height},left=${left},top=${top}`),
    listen: (listener, signal) => window.addEventListener('message', listener, { signal }),
    channel: () => new BroadcastChannel(cloudChannel.name),
    secret: () => base64urlnopad.encode(crypto.getRandomValues(new Uint8Array(32))),
    clock,
  }
}

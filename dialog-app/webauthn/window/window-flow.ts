/**
 * The card while a passkey is asked in a window of its own. The press opens it, and what came of it comes by way of
 * the server: the page lets nobody know of it who opened it, and whether it is closed can not be read.
 */
import { passkeyLimits, toLatchkeyError } from '@latchkey/protocol'
import {
  type PasskeyAnswer,
  type PasskeyCeremony,
  passkeyPageRoutes,
  passkeyWindowRoutes,
} from '@latchkey/protocol/api'
import { isInsideApp } from '../../core/device.ts'
import { done, type Flow, failed } from '../../core/flow.ts'
import type { FlowPorts } from '../../core/ports.ts'
import { screen } from '../../core/screen.ts'
import { beginAttempt } from '../../window-login/attempt.ts'
import { type WindowBrowser, windowBrowser } from '../../window-login/browser.ts'
import { notAllowed } from '../authenticator.ts'
import { passkeyWindowScreen } from './screens.ts'
import type { PasskeyWindowState } from './window-screen.tsx'

export type WindowPorts = Pick<FlowPorts, 'api' | 'clock' | 'settings'> & {
  /** A test has one of its own. */
  readonly browser?: WindowBrowser | undefined
}

/** Ends with what the device answered; of whoever wants none of it, or did not come to it, as the device would. */
export const passkeyWindow =
  (
    { api, clock, settings, browser = windowBrowser(window) }: WindowPorts,
    ceremony: PasskeyCeremony,
    signal: AbortSignal,
  ): Flow<PasskeyAnswer> =>
  (handle) => {
    const leave = () => handle.end(failed(notAllowed()))
    const view = (state: PasskeyWindowState) => screen(passkeyWindowScreen, state, { open, leave })
    let isOpened = false

    /** In the click: the window is opened before anything is awaited. */
    function open() {
      if (isOpened) return
      isOpened = true
      const { app, config } = settings()
      const opening = {
        clock,
        browser,
        addressOf: (name: string) => addressOf(app.id, name, config.intl?.locale),
        signal: handle.signal,
        waitMs: passkeyLimits.windowSeconds * 1_000,
      }
      const attempt = beginAttempt(opening, async ({ relay, result, asker }) => {
        const order = { ceremony, relay: await relay() }
        try {
          await api.call(passkeyWindowRoutes.beginPasskeyWindow, order, asker)
          await result((key) => api.call(passkeyWindowRoutes.passkeyWindowStatus, key, asker))
          const { answer } = await result(async (key) => ({
            status: 'taken',
            answer: await api.call(passkeyWindowRoutes.takePasskeyAnswer, key, asker),
          }))
          return answer
        } catch (error) {
          if (asker.signal?.aborted) tellPage(order.relay.handle)
          throw error
        }
      })
      const mayBeBlocked = attempt.isWindowClosed() === undefined
      handle.update(view({ status: 'waiting', href: attempt.address, mayBeBlocked }))
      attempt.granted.then(
        (answer) => handle.end(done(answer)),
        (error: unknown) => handle.end(failed(problemOf(error))),
      )
    }

    /** Its window may be open still, and nobody waits for it: what is answered there now comes too late. */
    function tellPage(name: string) {
      const body = { handle: name, answer: { type: 'refused' } } as const
      api.call(passkeyPageRoutes.answerPasskeyCeremony, body, { onNetwork: () => {} }).catch(() => {})
    }

    return {
      kind: 'passkey',
      run() {
        signal.addEventListener('abort', leave, { signal: handle.signal })
        handle.go(view({ status: isInsideApp(browser.userAgent) ? 'in-app' : 'to open' }))
      },
      onClose: () => failed(notAllowed()),
      onBack: () => failed(notAllowed()),
    }
  }

/** The page has no host to be told the language by. */
function addressOf(appId: string, handle: string, locale: string | undefined): string {
  const address = `/apps/${appId}/passkey/${handle}`
  return locale === undefined ? address : `${address}?${new URLSearchParams({ locale })}`
}

/** Nobody answered in its time, or the server knows no more of it: the device would say the same. */
function problemOf(cause: unknown) {
  const error = toLatchkeyError(cause, 'unknown_auth_error', 'The passkey request failed')
  return error.code === 'client_request_timeout' || error.code === 'not_found' ? notAllowed(error) : error
}

/**
 * The card while a passkey is asked in a window of its own. The press opens it, and what came of it comes by way of
 * the server: the page lets nobody know of it who opened it, and whether it is closed can not be read.
 */
import { passkeyLimits, toLatchkeyError } from '@latchkey/protocol'
import { type PasskeyAnswer, type PasskeyCeremony, passkeyWindowRoutes } from '@latchkey/protocol/api'
import { isInsideApp } from '../../browser/device.ts'
import type { FlowPorts } from '../../contract/ports.ts'
import { done, type Flow, failed } from '../../flow/flow.ts'
import { screen } from '../../flow/screen.ts'
import { type Attempt, beginAttempt } from '../../window-login/attempt.ts'
import { type WindowBrowser, windowBrowser } from '../../window-login/browser.ts'
import { notAllowed } from '../authenticator.ts'
import { passkeyWindowScreen } from './screens.ts'
import type { PasskeyWindowState } from './window-screen.tsx'

export type WindowPorts = Pick<FlowPorts, 'api' | 'clock' | 'settings'> & {
  /** A test has one of its own. */
  browser?: WindowBrowser | undefined
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
    const view = (state: PasskeyWindowState) => screen(passkeyWindowScreen, state, { open, again, leave })
    let latest: Attempt<PasskeyAnswer> | undefined

    /** The second press of two is no wish for another window. */
    function open() {
      if (latest === undefined) again()
    }

    /** It runs within the click, which opens the window before anything is awaited. The last window counts. */
    function again() {
      latest?.stop()
      const opening = {
        clock,
        settings,
        browser,
        purpose: 'passkey',
        // The page has no host to be told the language by.
        locale: settings().config.intl?.locale,
        signal: handle.signal,
        waitMs: passkeyLimits.windowSeconds * 1_000,
      } as const
      const attempt = beginAttempt(opening, async ({ begin, result, key, options }) => {
        try {
          await begin((relay) =>
            api.call(passkeyWindowRoutes.beginPasskeyWindow, { ceremony, relay }, options),
          )
          await result((key) => api.call(passkeyWindowRoutes.passkeyWindowStatus, key, options))
          return await api.call(passkeyWindowRoutes.takePasskeyAnswer, key, options)
        } catch (error) {
          if (options.signal?.aborted) tellPage(key)
          throw error
        }
      })
      latest = attempt
      const mayBeBlocked = attempt.isWindowClosed() === undefined
      const { digits } = attempt
      handle.update(
        view({ status: 'waiting', mayBeBlocked, ...(mayBeBlocked && digits !== undefined && { digits }) }),
      )
      attempt.granted.then(
        (answer) => handle.end(done(answer)),
        (error: unknown) => latest === attempt && handle.end(failed(problemOf(error))),
      )
    }

    /** Its window may be open still, and nobody waits for it: what is answered there now comes too late. */
    function tellPage(key: { handle: string; secret: string }) {
      api.call(passkeyWindowRoutes.closePasskeyWindow, key, { onNetwork: () => {} }).catch(() => {})
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

/** Nobody answered in its time, or the server knows no more of it: the device would say the same. */
function problemOf(cause: unknown) {
  const error = toLatchkeyError(cause, 'unknown_auth_error', 'The passkey request failed')
  return error.code === 'client_request_timeout' || error.code === 'not_found' ? notAllowed(error) : error
}

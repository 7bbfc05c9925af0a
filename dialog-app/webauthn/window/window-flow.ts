/**
 * The card while the passkey window is open. The press opens the window, and the server relays its result, because
 * the page has no opener and its state is unreadable.
 */
import { passkeyLimits, toLatchkeyError } from '@latchkey/protocol'
import { type PasskeyAnswer, type PasskeyCeremony, passkeyWindowRoutes } from '@latchkey/protocol/api'
import type { DialogServices } from '../../app/services.ts'
import { isInsideApp } from '../../browser/device.ts'
import { done, type Flow, failed } from '../../flow/flow.ts'
import { screen } from '../../flow/screen.ts'
import { type Attempt, beginAttempt } from '../../window-login/attempt.ts'
import { type WindowBrowser, windowBrowser } from '../../window-login/browser.ts'
import { notAllowed } from '../authenticator.ts'
import { passkeyWindowScreen } from './screens.ts'
import type { PasskeyWindowState } from './window-screen.tsx'

export type WindowPorts = Pick<DialogServices, 'api' | 'clock' | 'settings'> & {
  /** Replaced in tests. */
  browser?: WindowBrowser | undefined
}

/** Ends with the device's answer. Leaving or a timeout fails like a refusal by the device. */
export const passkeyWindow =
  (
    { api, clock, settings, browser = windowBrowser(window) }: WindowPorts,
    ceremony: PasskeyCeremony,
    signal: AbortSignal,
  ): Flow<PasskeyAnswer> =>
  (handle) => {
    const cancel = () => handle.end(failed(notAllowed()))
    const view = (state: PasskeyWindowState) =>
      screen(passkeyWindowScreen, state, { open, again, leave: cancel })
    let latest: Attempt<PasskeyAnswer> | undefined

    /** Ignores the second press of a double click. */
    function open() {
      if (latest === undefined) again()
    }

    /** Opens the window synchronously in the click. Only the latest window counts. */
    function again() {
      latest?.stop()
      const opening = {
        clock,
        settings,
        browser,
        purpose: 'passkey',
        // The page has no host page to get its locale from.
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
        (error: unknown) => latest === attempt && handle.end(failed(toProblem(error))),
      )
    }

    /** Closes the ceremony at the server, because its window may still be open. */
    function tellPage(key: { handle: string; secret: string }) {
      api.call(passkeyWindowRoutes.closePasskeyWindow, key, { onNetwork: () => {} }).catch(() => {})
    }

    return {
      kind: 'passkey',
      run() {
        signal.addEventListener('abort', cancel, { signal: handle.signal })
        handle.go(view({ status: isInsideApp(browser.userAgent) ? 'in-app' : 'to open' }))
      },
      onClose: () => failed(notAllowed()),
      onBack: () => failed(notAllowed()),
    }
  }

/** Maps a timeout or an unknown ceremony to a device refusal. */
function toProblem(cause: unknown) {
  const error = toLatchkeyError(cause, 'unknown_auth_error', 'The passkey request failed')
  return error.code === 'client_request_timeout' || error.code === 'not_found' ? notAllowed(error) : error
}

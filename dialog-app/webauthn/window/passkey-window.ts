/**
 * The card while the passkey window is open. The press opens the window, and the server relays its result, because
 * the page has no opener and its state is unreadable.
 */
import { passkeyLimits, toLatchkeyError } from '@latchkey/protocol'
import { type PasskeyAnswer, type PasskeyCeremony, passkeyWindowRoutes } from '@latchkey/protocol/api'
import { createCall } from '../../app/screen-stack.ts'
import type { DialogServices } from '../../app/services.ts'
import { isInsideApp } from '../../browser/device.ts'
import { orAborted } from '../../browser/waiting.ts'
import { type Flow, failed } from '../../flow/flow.ts'
import { type Attempt, beginAttempt } from '../../window-login/attempt.ts'
import { type WindowBrowser, windowBrowser } from '../../window-login/browser.ts'
import { notAllowed } from '../authenticator.ts'
import { passkeyWindowScreen } from './screens.ts'

export type WindowPorts = DialogServices & {
  /** Replaced in tests. */
  browser?: WindowBrowser | undefined
}

/** Resolves with the device's answer. Leaving or a timeout fails like a refusal by the device. */
export function passkeyWindow(
  ports: WindowPorts,
  ceremony: PasskeyCeremony,
  signal: AbortSignal,
): Flow<PasskeyAnswer> {
  const { browser = windowBrowser(window) } = ports
  const refuse = () => failed(notAllowed())
  return createCall<PasskeyAnswer>(
    ports,
    { kind: 'passkey', onClose: refuse, onBack: refuse },
    async (card) => {
      const isInApp = isInsideApp(browser.userAgent)
      const begin = () => beginPasskeyWindow(ports, browser, ceremony, card.signal)
      try {
        return await orAborted(card.open(passkeyWindowScreen, { isInApp, begin }), signal)
      } catch (error) {
        throw signal.aborted ? notAllowed(error) : toProblem(error)
      }
    },
  )
}

/** Opens the window synchronously in the click. */
function beginPasskeyWindow(
  { api, clock, settings }: WindowPorts,
  browser: WindowBrowser,
  ceremony: PasskeyCeremony,
  signal: AbortSignal,
): Attempt<PasskeyAnswer> {
  const opening = {
    clock,
    settings,
    browser,
    purpose: 'passkey',
    // The page has no host page to get its locale from.
    locale: settings().config.intl?.locale,
    signal,
    waitMs: passkeyLimits.windowSeconds * 1_000,
  } as const
  return beginAttempt(opening, async ({ begin, result, key, options }) => {
    try {
      await begin((relay) => api.call(passkeyWindowRoutes.beginPasskeyWindow, { ceremony, relay }, options))
      await result((asked) => api.call(passkeyWindowRoutes.passkeyWindowStatus, asked, options))
      return await api.call(passkeyWindowRoutes.takePasskeyAnswer, key, options)
    } catch (error) {
      // Closes the ceremony at the server, because its window may still be open.
      if (options.signal?.aborted)
        api.call(passkeyWindowRoutes.closePasskeyWindow, key, { onNetwork: () => {} }).catch(() => {})
      throw error
    }
  })
}

/** Maps a timeout or an unknown ceremony to a device refusal. */
function toProblem(cause: unknown) {
  const error = toLatchkeyError(cause, 'unknown_auth_error', 'The passkey request failed')
  return error.code === 'client_request_timeout' || error.code === 'not_found' ? notAllowed(error) : error
}

import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'
import type { Authenticator } from '../../webauthn/authenticator.ts'
import type { WindowBrowser } from '../../window-login/browser.ts'
import type * as signals from './lazy/signals.ts'

/** Returns undefined in a browser without the Signal API. */
const getSignalPlace = (): signals.SignalPlace | undefined =>
  'PublicKeyCredential' in globalThis && 'signalAllAcceptedCredentials' in PublicKeyCredential
    ? { api: PublicKeyCredential, hostname: location.hostname }
    : undefined

/** Tests replace the authenticator, the windows and the Signal API. */
export const passkeyBy = (
  authenticator?: Authenticator,
  browser?: WindowBrowser,
  signalPlace = getSignalPlace(),
) =>
  defineCapability({
    name: 'passkey',
    screens: async () => (await import('./screens.ts')).screens,
    comes: 'with its setting',
    loadedFor: 'visitors',
    bring(ports) {
      const code = loadable(() => import('./lazy/signals.ts'))
      /** Runs with the code of signals. Failures have no effect. */
      function signal(send: (code: typeof signals, place: signals.SignalPlace) => void) {
        if (signalPlace)
          code
            .load()
            .then((loaded) => send(loaded, signalPlace))
            .catch(() => {})
      }
      ports.session.subscribe((...change) => {
        signal(({ signalChange }, place) => signalChange(ports.settings(), place, change))
      })
      const onUnknown: OnUnknown = (unknown) => {
        signal(({ signalUnknown }, place) => signalUnknown(ports.settings(), place, unknown))
      }
      return {
        login: [
          {
            method: 'passkey',
            appSetting: 'passkeyAuth',
            shows: 'link',
            load: async () =>
              (await import('./passkeys.ts')).passkeyMethod(ports, { authenticator, browser, onUnknown }),
          },
        ],
      }
    },
  })

/** Called with a passkey that no app of the server has. */
export type OnUnknown = (unknown: { relyingParty: string; credentialId: string }) => void

export const passkey = passkeyBy()

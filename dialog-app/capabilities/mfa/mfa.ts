import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'
import type { Authenticator } from '../../webauthn/authenticator.ts'
import type { WindowBrowser } from '../../window-login/browser.ts'

/** The browser asks the authenticators, and opens windows, unless a test has its own. */
export const mfaBy = (authenticator?: Authenticator, browser?: WindowBrowser) =>
  defineCapability({
    name: 'mfa',
    screens: async () => (await import('./screens.ts')).screens,
    loadedFor: 'users',
    bring(ports) {
      const flows = loadable(async () =>
        (await import('./flows.ts')).createMfa(ports, authenticator, browser),
      )
      return {
        load: flows.load,
        hostCalls: {
          names: [
            'showMfaEnrollment',
            'enrollMfa',
            'unenrollMfa',
            'closeMfaEnrollment',
            'initMfa',
            'submitMfa',
            'cancelMfa',
          ],
          load: async () => (await flows.load()).calls,
        },
        account: [
          {
            isHere: ({ app }, { mfaMethods }) => app.mfaMethods.length > 0 || mfaMethods.length > 0,
            async load() {
              const [loaded, { createAccountEntry }] = await Promise.all([
                flows.load(),
                import('./account-entry.tsx'),
              ])
              return createAccountEntry(loaded)
            },
          },
        ],
        remedies: async () => [(await flows.load()).remedy],
      }
    },
  })

export const mfa = mfaBy()

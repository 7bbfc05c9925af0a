import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'
import type { Authenticator } from '../../webauthn/authenticator.ts'
import type { WindowBrowser } from '../../window-login/browser.ts'

/** Tests have an authenticator and a browser of their own. */
export const mfaBy = (authenticator?: Authenticator, browser?: WindowBrowser) =>
  defineCapability({
    name: 'mfa',
    screens: async () => (await import('./screens.ts')).screens,
    loadedFor: 'users',
    bring(ports) {
      const lazyMfa = loadable(async () =>
        (await import('./create-mfa.ts')).createMfa(ports, authenticator, browser),
      )
      return {
        load: lazyMfa.load,
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
          load: async () => (await lazyMfa.load()).calls,
        },
        account: [
          {
            isHere: ({ app }, { mfaMethods }) => app.mfaMethods.length > 0 || mfaMethods.length > 0,
            async load() {
              const [loaded, { createAccountEntry }] = await Promise.all([
                lazyMfa.load(),
                import('./account-entry.tsx'),
              ])
              return createAccountEntry(loaded)
            },
          },
        ],
        remedies: async () => [(await lazyMfa.load()).remedy],
      }
    },
  })

export const mfa = mfaBy()

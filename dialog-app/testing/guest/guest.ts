/** A capability that no release has: what adding one takes, and what may not change for it. */
import { defineCapability } from '../../core/capability.ts'
import { loadable } from '../../core/loadable.ts'
import type { Authenticate } from './guest-login.ts'
import { guestEntry, knockScreen, verifyScreen, waitScreen } from './screens.ts'

export const createGuest = (authenticate: Authenticate) =>
  defineCapability({
    name: 'guest',
    screens: async () => [knockScreen, waitScreen, verifyScreen],
    loadedFor: 'visitors',
    bring(ports) {
      const login = loadable(() => import('./guest-login.ts'))
      const verification = loadable(() => import('./guest-verification.ts'))
      const parts = [login, verification, guestEntry.component, guestEntry.texts]
      return {
        load: () => Promise.all(parts.map((part) => part.load())),
        login: [
          {
            method: 'passkey',
            appSetting: 'passkeyAuth',
            shows: 'row',
            account: {
              type: 'passkey',
              idOf: () => undefined,
              unlink: () => Promise.reject(new Error('A guest has no account')),
            },
            start: async (progress) =>
              (await ports.load(login.load)).startGuestLogin(ports, progress, authenticate),
          },
        ],
        remedies: [
          {
            obstacle: 'missing_or_invalid_mfa',
            helps: () => true,
            remove: async ({ card }) => card.interrupt((await ports.load(verification.load)).verify),
          },
        ],
      }
    },
  })

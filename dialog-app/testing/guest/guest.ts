/** A capability that no release has. It shows that an addition needs no other changes. */

import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'
import type { Authenticate } from './guest-login.tsx'
import { knockScreen, verifyScreen, waitScreen } from './screens.ts'

export const createGuest = (authenticate: Authenticate) =>
  defineCapability({
    name: 'guest',
    screens: async () => [knockScreen, waitScreen, verifyScreen],
    loadedFor: 'visitors',
    bring(ports) {
      const verification = loadable(() => import('./guest-verification.ts'))
      return {
        load: verification.load,
        login: [
          {
            method: 'passkey',
            appSetting: 'passkeyAuth',
            shows: 'row',
            load: async () => (await import('./guest-login.tsx')).guestMethod(ports, authenticate),
          },
        ],
        remedies: async () => [
          {
            obstacle: 'missing_or_invalid_mfa',
            helps: () => true,
            async overcome(call, callWallet) {
              const { createVerification } = await ports.load(verification.load)
              const verified = await call.card.interrupt(createVerification(ports))
              return callWallet({ ...call, call: () => call.call(verified) })
            },
          },
        ],
      }
    },
  })

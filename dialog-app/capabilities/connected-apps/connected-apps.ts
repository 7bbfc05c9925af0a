import { findEmbeddedWallet } from '@latchkey/protocol'
import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'
import { allowsDappConnections } from '../../host/settings.ts'

/** The apps that may use the user's wallet. */
export const connectedApps = defineCapability({
  name: 'connected-apps',
  screens: async () => (await import('./screens.ts')).screens,
  loadedFor: 'nobody',
  bring(ports) {
    const entry = loadable(async () => (await import('./account-entry.tsx')).createAccountEntry(ports))
    return {
      load: entry.load,
      account: [
        {
          isHere: (settings, user) =>
            settings.app.crossAppProvider ||
            (allowsDappConnections(settings) && findEmbeddedWallet(user) !== undefined),
          load: entry.load,
        },
      ],
    }
  },
})

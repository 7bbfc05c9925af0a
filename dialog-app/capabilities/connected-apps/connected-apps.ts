import { defineCapability } from '../../core/capability.ts'
import { loadable } from '../../core/loadable.ts'

/** The apps in which a user uses the wallet that they have here. */
export const connectedApps = defineCapability({
  name: 'connected-apps',
  screens: async () => (await import('./screens.ts')).screens,
  loadedFor: 'nobody',
  bring(ports) {
    const flow = loadable(async () => (await import('./connected-apps-flow.ts')).showConnectedApps(ports))
    return {
      load: flow.load,
      account: [{ isHere: ({ app }) => app.crossAppProvider, load: flow.load }],
    }
  },
})

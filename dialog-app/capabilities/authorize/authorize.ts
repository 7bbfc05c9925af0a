import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'
import type { AuthorizationPage } from './authorize-flow.ts'

/** Stands on the page of an authorization alone; every other page of the dialog loads nothing of it. */
export const authorizeOn = (page: AuthorizationPage) =>
  defineCapability({
    name: 'authorize',
    screens: async () => (await import('./screens.ts')).screens,
    loadedFor: 'visitors',
    bring(ports) {
      const flow = loadable(() => import('./authorize-flow.ts'))
      return {
        load: flow.load,
        standalone: async () => (await ports.load(flow.load)).runAuthorization(ports, page),
        // The page is left at once: what a login has to say of other logins, the next one in the app says.
        showNotices: async () => {},
      }
    },
  })

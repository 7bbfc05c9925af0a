import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'
import type { AuthorizationPage } from './authorization.ts'

/** Runs on the authorization page only. Other pages of the dialog load nothing of it. */
export const authorizeOn = (page: AuthorizationPage) =>
  defineCapability({
    name: 'authorize',
    screens: async () => (await import('./screens.ts')).screens,
    loadedFor: 'visitors',
    bring(ports) {
      const authorization = loadable(() => import('./authorization.ts'))
      return {
        load: authorization.load,
        standalone: async () => (await ports.load(authorization.load)).runAuthorization(ports, page),
        // This page is left immediately. The next login in the app shows the notices.
        showNotices: async () => {},
      }
    },
  })

import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'
import { mustAcceptTerms } from '../../host/settings.ts'

/** Requires acceptance of the terms before wallet creation, so it precedes `wallet-create` in the list. */
export const terms = defineCapability({
  name: 'terms',
  screens: async () => (await import('./screens.ts')).screens,
  comes: 'at start',
  loadedFor: 'nobody',
  bring(ports) {
    const consent = loadable(() => import('./consent-step.ts'))
    return {
      load: consent.load,
      afterLogin: [
        {
          isDue: (user) => mustAcceptTerms(ports.settings(), user),
          longerAfterPhone: true,
          run: async (after) => (await ports.load(consent.load)).takeConsentStep(ports, after),
        },
      ],
    }
  },
})

import { loadable } from '../../../../browser/loadable.ts'
import { defineCapability } from '../../../../contract/capability.ts'

/** The rest of this capability, for the few whose browser lost what their session had on it. */
export const logInAgain = defineCapability({
  name: 'landing',
  screens: async () => (await import('./screens.ts')).screens,
  loadedFor: 'nobody',
  bring(ports) {
    const flow = loadable(async () => (await import('./flow.ts')).logInAgainFor(ports))
    return {
      remedies: async () => [(await flow.load()).remedy],
      logInAgain: async (...given) => (await ports.load(flow.load)).logInAgain(...given),
    }
  },
})

import { defineCapability } from '../../core/capability.ts'
import { loadable } from '../../core/loadable.ts'

/** The rest of this capability, for the few whose browser lost what their session had on it. */
export const logInAgain = defineCapability({
  name: 'landing',
  screens: async () => (await import('./later-log-in-again-screens.ts')).screens,
  loadedFor: 'nobody',
  bring(ports) {
    const flow = loadable(async () => (await import('./later-log-in-again-flow.ts')).logInAgainFor(ports))
    return {
      remedies: async () => [(await flow.load()).remedy],
      logInAgain: async (...given) => (await ports.load(flow.load)).logInAgain(...given),
    }
  },
})

import { loadable } from '../../../../browser/loadable.ts'
import { defineCapability } from '../../../../contract/capability.ts'

/** Logs the user in again after the browser lost the device key of the session. Loads on demand. */
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

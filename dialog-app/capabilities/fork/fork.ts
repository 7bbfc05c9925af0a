import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'

/** A session that another page of the app starts from this one, and that ends with it. */
export const fork = defineCapability({
  name: 'fork',
  loadedFor: 'nobody',
  bring(ports) {
    const calls = loadable(async () => (await import('./host-calls.ts')).createHostCalls(ports))
    return { hostCalls: { names: ['forkSession'], load: calls.load } }
  },
})

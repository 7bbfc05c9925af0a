import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'

/** For the few whom no contact of theirs could be told at, of what happened to their account. */
export const notices = defineCapability({
  name: 'notices',
  screens: async () => (await import('./screens.ts')).screens,
  loadedFor: 'nobody',
  bring(ports) {
    const flow = loadable(() => import('./notices-flow.ts'))
    return { showNotices: async () => (await ports.load(flow.load)).showNotices(ports) }
  },
})

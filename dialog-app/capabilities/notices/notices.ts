import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'

/** Reports changes to the account at the next login if no mail or SMS could report them. */
export const notices = defineCapability({
  name: 'notices',
  screens: async () => (await import('./screens.ts')).screens,
  loadedFor: 'nobody',
  bring(ports) {
    const code = loadable(() => import('./show-notices.ts'))
    return { showNotices: async () => (await ports.load(code.load)).showNotices(ports) }
  },
})

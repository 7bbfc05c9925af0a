import type { LoginMethod } from '@latchkey/protocol'
import { defineCapability } from '../../core/capability.ts'
import { loadable } from '../../core/loadable.ts'

/** Accounts of a user who is logged in: linked, unlinked, and the e-mail address changed. The methods prove them. */
export const linking = defineCapability({
  name: 'linking',
  screens: async () => (await import('./screens.ts')).screens,
  loadedFor: 'nobody',
  bring(ports) {
    const flows = loadable(() => import('./link.ts'))
    const link = async (method: LoginMethod, purpose: 'link' | 'replace', signal: AbortSignal) =>
      (await ports.load(flows.load)).link(ports, method, purpose, signal)
    return {
      load: flows.load,
      hostCalls: {
        link: ({ method }, { signal }) => link(method, 'link', signal),
        updateEmail: (_data, { signal }) => link('email', 'replace', signal),
        unlink: async (account, { signal }) => (await ports.load(flows.load)).unlink(ports, account, signal),
      },
    }
  },
})

import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'

export const accountDeletion = defineCapability({
  name: 'account-deletion',
  screens: async () => (await import('./screens.ts')).screens,
  loadedFor: 'nobody',
  bring(ports) {
    const entry = loadable(async () => (await import('./account-entry.tsx')).createAccountEntry(ports))
    return { load: entry.load, account: [{ isHere: () => true, load: entry.load }] }
  },
})

import { defineCapability } from '../../contract/capability.ts'

/** Shows users the browsers in which they are logged in. */
export const ownSessions = defineCapability({
  name: 'own-sessions',
  screens: async () => (await import('./screens.ts')).screens,
  loadedFor: 'nobody',
  bring: () => ({
    account: [{ isHere: () => true, load: async () => (await import('./account-entry.tsx')).accountEntry }],
  }),
})

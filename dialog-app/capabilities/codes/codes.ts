import { defineCapability } from '../../contract/capability.ts'

/** One-time codes by e-mail and SMS. */
export const codes = defineCapability({
  name: 'codes',
  screens: async () => (await import('./screens.ts')).screens,
  comes: 'at start',
  loadedFor: 'visitors',
  bring: () => ({}),
})

import { defineCapability } from '../../contract/capability.ts'

/** Shared screens for one-time codes, sent by e-mail or SMS. */
export const codes = defineCapability({
  name: 'codes',
  screens: async () => (await import('./screens.ts')).screens,
  comes: 'at start',
  loadedFor: 'visitors',
  bring: () => ({}),
})

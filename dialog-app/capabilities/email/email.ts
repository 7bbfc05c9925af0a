import { defineCapability } from '../../contract/capability.ts'

export const email = defineCapability({
  name: 'email',
  comes: 'at start',
  loadedFor: 'visitors',
  bring: (ports) => ({
    login: [
      {
        method: 'email',
        appSetting: 'emailAuth',
        shows: 'field',
        load: async () => (await import('./email-login.tsx')).emailMethod(ports),
      },
    ],
  }),
})

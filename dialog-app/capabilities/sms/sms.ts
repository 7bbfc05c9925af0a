import { defineCapability } from '../../contract/capability.ts'

export const sms = defineCapability({
  name: 'sms',
  comes: 'with its setting',
  loadedFor: 'visitors',
  bring: (ports) => ({
    login: [
      {
        method: 'sms',
        appSetting: 'smsAuth',
        shows: 'field',
        load: async () => (await import('./sms-login.tsx')).smsMethod(ports),
      },
    ],
  }),
})

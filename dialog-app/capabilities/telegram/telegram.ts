import { defineCapability } from '../../core/capability.ts'

export const telegram = defineCapability({
  name: 'telegram',
  screens: async () => (await import('./screens.ts')).screens,
  loadedFor: 'visitors',
  bring: (ports) => ({
    login: [
      {
        method: 'telegram',
        appSetting: 'telegramAuth',
        shows: 'row',
        load: async () => (await import('./telegram-login.ts')).telegramMethod(ports),
      },
    ],
  }),
})

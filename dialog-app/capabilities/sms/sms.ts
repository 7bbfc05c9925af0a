import { defineCapability } from '../../core/capability.ts'
import { loadable } from '../../core/loadable.ts'

export const sms = defineCapability({
  name: 'sms',
  loadedFor: 'visitors',
  bring(ports) {
    const login = loadable(() => import('./sms-login.ts'))
    return {
      load: async () => (await login.load()).loadEntry(),
      login: [
        {
          method: 'sms',
          appSetting: 'smsAuth',
          shows: 'field',
          account: {
            type: 'phone',
            idOf: (account) => (account.type === 'phone' ? account.phoneNumber : undefined),
            unlink: async (...account) => (await ports.load(login.load)).unlinkPhone(ports, ...account),
          },
          start: async (progress) => (await ports.load(login.load)).startSmsLogin(ports, progress),
        },
      ],
    }
  },
})

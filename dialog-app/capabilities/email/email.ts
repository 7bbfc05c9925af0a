import { defineCapability } from '../../core/capability.ts'
import { loadable } from '../../core/loadable.ts'

export const email = defineCapability({
  name: 'email',
  loadedFor: 'visitors',
  bring(ports) {
    const login = loadable(() => import('./email-login.ts'))
    return {
      load: async () => (await login.load()).loadEntry(),
      login: [
        {
          method: 'email',
          appSetting: 'emailAuth',
          shows: 'field',
          account: {
            type: 'email',
            idOf: (account) => (account.type === 'email' ? account.address : undefined),
            unlink: async (...account) => (await ports.load(login.load)).unlinkEmail(ports, ...account),
          },
          start: async (progress) => (await ports.load(login.load)).startEmailLogin(ports, progress),
        },
      ],
    }
  },
})

import { defineCapability } from '../../core/capability.ts'
import { loadable } from '../../core/loadable.ts'

export const email = defineCapability({
  name: 'email',
  screens: [],
  loadedFor: 'visitors',
  bring(ports) {
    const login = loadable(() => import('./email-login.ts'))
    return {
      load: async () => (await login.load()).loadEntry(),
      login: [
        {
          method: 'email',
          appSetting: 'emailAuth',
          start: async (inProgress) => (await ports.load(login.load)).startEmailLogin(ports, inProgress),
        },
      ],
    }
  },
})

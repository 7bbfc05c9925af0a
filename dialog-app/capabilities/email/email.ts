import { defineCapability } from '../../core/capability.ts'
import { loadable } from '../../core/loadable.ts'
import { emailEntry } from './screens.ts'

export const email = defineCapability({
  name: 'email',
  screens: [],
  loadedFor: 'visitors',
  bring(ports) {
    const login = loadable(() => import('./email-login.ts'))
    return {
      load: () => Promise.all([login.load(), emailEntry.component.load(), emailEntry.texts.load()]),
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

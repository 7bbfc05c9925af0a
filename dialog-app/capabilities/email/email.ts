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
          account: {
            type: 'email',
            idOf: (account) => (account.type === 'email' ? account.address : undefined),
            unlink: (address, asker) => ports.api.call('unlinkEmail', { address }, asker),
          },
          start: async (progress) => (await ports.load(login.load)).startEmailLogin(ports, progress),
        },
      ],
    }
  },
})

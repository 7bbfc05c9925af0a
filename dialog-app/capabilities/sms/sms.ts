import { defineCapability } from '../../core/capability.ts'
import { loadable } from '../../core/loadable.ts'

/** An app without login by SMS loads nothing of it. */
export const sms = defineCapability({
  name: 'sms',
  screens: [],
  loadedFor: 'visitors',
  bring(ports) {
    const login = loadable(() => import('./sms-login.ts'))
    return {
      load: async () => {
        if (ports.settings().app.smsAuth) await (await login.load()).loadEntry()
      },
      login: [
        {
          method: 'sms',
          appSetting: 'smsAuth',
          start: async (inProgress) => (await ports.load(login.load)).startSmsLogin(ports, inProgress),
        },
      ],
    }
  },
})

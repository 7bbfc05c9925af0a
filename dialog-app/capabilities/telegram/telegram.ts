import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'
import { pageOf } from '../../contract/page.ts'
import { getHostMethods } from '../../host/settings.ts'
import type { WindowBrowser } from '../../window-login/browser.ts'

/** Tests replace the browser. */
export const telegramOn = (browser?: WindowBrowser) =>
  defineCapability({
    name: 'telegram',
    screens: async () => (await import('./screens.ts')).screens,
    comes: 'with its setting',
    loadedFor: 'visitors',
    bring(ports) {
      const addressLogin = loadable(async () =>
        (await import('./address-login.ts')).createAddressLogin({ ...ports, page: pageOf(ports) }),
      )
      return {
        async onStart() {
          const { app, config } = ports.settings()
          if (!app.telegramAuth || !getHostMethods(config).includes('telegram')) return
          await (await ports.load(addressLogin.load)).resume()
        },
        login: [
          {
            method: 'telegram',
            appSetting: 'telegramAuth',
            shows: 'row',
            async load() {
              const { telegramMethod } = await import('./telegram-login.ts')
              return telegramMethod(ports, await addressLogin.load(), browser)
            },
          },
        ],
      }
    },
  })

export const telegram = telegramOn()

import { type Brought, type CapabilityPorts, defineCapability } from '../../core/capability.ts'
import { loadable } from '../../core/loadable.ts'
import type { WindowBrowser } from '../../window-login/browser.ts'

export const recovery = defineCapability({
  name: 'recovery',
  screens: async () => (await import('./screens.ts')).screens,
  loadedFor: 'users',
  bring: (ports) => bringRecovery(ports),
})

export function bringRecovery(ports: CapabilityPorts, browser?: WindowBrowser) {
  const automatic = loadable(() => import('./automatic.ts'))
  const byPassword = loadable(() => import('./by-password.ts'))
  const byCloud = loadable(() => import('./cloud/by-cloud.ts'))
  const choice = loadable(async () => {
    const [{ chooseMethod }, { recoveryOptions }] = await Promise.all([
      import('./choose-method.ts'),
      import('./recovery-options.ts'),
    ])
    return { chooseMethod, recoveryOptions }
  })
  const calls = loadable(async () => (await import('./host-calls.ts')).createHostCalls(ports, browser))
  return {
    load: () => Promise.all([automatic, byPassword, byCloud, choice, calls].map((part) => part.load())),
    moreCalls: { names: ['setWalletRecovery'], load: calls.load },
    async remedies() {
      const { recoverByCloud } = await byCloud.load()
      return [
        (await automatic.load()).recoverAutomatically(ports),
        (await byPassword.load()).recoverByPassword(ports),
        recoverByCloud(ports, 'google-drive', browser),
        recoverByCloud(ports, 'icloud', browser),
      ]
    },
    async chooseRecovery(card, save) {
      const { chooseMethod, recoveryOptions } = await ports.load(choice.load)
      const options = recoveryOptions(ports.settings())
      await chooseMethod(ports, card, browser, { options, present: undefined, byUser: undefined, save })
    },
  } satisfies Brought
}

import { loadable } from '../../browser/loadable.ts'
import { type CapabilityPorts, type Contributions, defineCapability } from '../../contract/capability.ts'
import type { RecoveryOutside } from './outside.ts'

export const recovery = defineCapability({
  name: 'recovery',
  screens: async () => (await import('./screens.ts')).screens,
  loadedFor: 'users',
  bring: (ports) => bringRecovery(ports),
})

export function bringRecovery(ports: CapabilityPorts, outside: RecoveryOutside = {}) {
  const automatic = loadable(() => import('./automatic.ts'))
  const tooNew = loadable(() => import('./too-new.ts'))
  const byCloud = loadable(() => import('./cloud/by-cloud.ts'))
  const byWindow = loadable(() => import('./window/by-window.ts'))
  const choice = loadable(async () => {
    const [{ chooseMethod }, { recoveryOptions }] = await Promise.all([
      import('./choose-method.ts'),
      import('./recovery-options.ts'),
    ])
    return { chooseMethod, recoveryOptions }
  })
  const calls = loadable(async () => (await import('./host-calls.ts')).createHostCalls(ports, outside))
  return {
    load: () => Promise.all([automatic, tooNew, byCloud, byWindow, choice, calls].map((part) => part.load())),
    hostCalls: { names: ['setWalletRecovery'], load: calls.load },
    async remedies() {
      const [{ recoverByCloud }, { recoverByWindow }] = await Promise.all([byCloud.load(), byWindow.load()])
      return [
        (await automatic.load()).recoverAutomatically(ports),
        (await tooNew.load()).showOlderMethod(ports),
        recoverByWindow(ports, 'user-passcode', outside.userAgent),
        recoverByCloud(ports, 'google-drive', outside.userAgent),
        recoverByCloud(ports, 'icloud', outside.userAgent),
        recoverByWindow(ports, 'passkey', outside.userAgent),
      ]
    },
    async chooseRecovery(card, save) {
      const { chooseMethod, recoveryOptions } = await ports.load(choice.load)
      const options = await recoveryOptions(ports.settings(), outside.hasPrf)
      await chooseMethod(ports, card, options, {
        present: undefined,
        address: () => null,
        leave: undefined,
        save,
        outside,
      })
    },
  } satisfies Contributions
}

import { type Brought, type CapabilityPorts, defineCapability } from '../../core/capability.ts'
import { loadable } from '../../core/loadable.ts'
import type { RecoveryOutside } from './outside.ts'

export const recovery = defineCapability({
  name: 'recovery',
  screens: async () => (await import('./screens.ts')).screens,
  loadedFor: 'users',
  bring: (ports) => bringRecovery(ports),
})

export function bringRecovery(ports: CapabilityPorts, outside: RecoveryOutside = {}) {
  const automatic = loadable(() => import('./automatic.ts'))
  const byPassword = loadable(() => import('./by-password.ts'))
  const byCloud = loadable(() => import('./cloud/by-cloud.ts'))
  const byPasskey = loadable(() => import('./passkey/by-passkey.ts'))
  const choice = loadable(async () => {
    const [{ chooseMethod }, { recoveryOptions }] = await Promise.all([
      import('./choose-method.ts'),
      import('./recovery-options.ts'),
    ])
    return { chooseMethod, recoveryOptions }
  })
  const calls = loadable(async () => (await import('./host-calls.ts')).createHostCalls(ports, outside))
  return {
    load: () =>
      Promise.all([automatic, byPassword, byCloud, byPasskey, choice, calls].map((part) => part.load())),
    moreCalls: { names: ['setWalletRecovery'], load: calls.load },
    async remedies() {
      const { recoverByCloud } = await byCloud.load()
      return [
        (await automatic.load()).recoverAutomatically(ports),
        (await byPassword.load()).recoverByPassword(ports),
        recoverByCloud(ports, 'google-drive', outside.browser),
        recoverByCloud(ports, 'icloud', outside.browser),
        (await byPasskey.load()).recoverByPasskey(ports, outside.authenticator),
      ]
    },
    async chooseRecovery(card, save) {
      const { chooseMethod, recoveryOptions } = await ports.load(choice.load)
      const options = await recoveryOptions(ports.settings(), outside.authenticator)
      await chooseMethod(ports, card, outside, { options, present: undefined, byUser: undefined, save })
    },
  } satisfies Brought
}

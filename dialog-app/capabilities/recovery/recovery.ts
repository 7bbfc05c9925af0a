import { defineCapability } from '../../core/capability.ts'
import { loadable } from '../../core/loadable.ts'

export const recovery = defineCapability({
  name: 'recovery',
  screens: async () => (await import('./screens.ts')).screens,
  loadedFor: 'users',
  bring(ports) {
    const automatic = loadable(() => import('./automatic.ts'))
    const byPassword = loadable(() => import('./by-password.ts'))
    const wizard = loadable(async () => {
      const [{ runWizard }, { passwordCreateScreen }] = await Promise.all([
        import('./wizard.ts'),
        import('./screens.ts'),
      ])
      return { runWizard, record: passwordCreateScreen }
    })
    const calls = loadable(async () => (await import('./host-calls.ts')).createHostCalls(ports))
    return {
      load: () => Promise.all([automatic, byPassword, wizard, calls].map((part) => part.load())),
      moreCalls: { names: ['setWalletRecovery'], load: calls.load },
      remedies: async () => [
        (await automatic.load()).recoverAutomatically(ports),
        (await byPassword.load()).recoverByPassword(ports),
      ],
      async chooseRecovery(card, save) {
        const { runWizard, record } = await ports.load(wizard.load)
        await runWizard(ports, card, { record, byUser: undefined, save })
      },
    }
  },
})

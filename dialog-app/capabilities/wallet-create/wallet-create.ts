import { findEmbeddedWallet, needsWallet, type UserRecord } from '@latchkey/protocol'
import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'
import { createOnLogin, requiresRecoveryChoice, type Settings } from '../../host/settings.ts'

export const walletCreate = defineCapability({
  name: 'wallet-create',
  screens: async () => (await import('./screens.ts')).screens,
  comes: 'at start',
  loadedFor: 'users',
  bring(ports) {
    // Shared by the host call and the login, so that concurrent creations are one.
    const creation = loadable(async () => (await import('./creation.ts')).createWalletCreation(ports))
    const step = loadable(async () => (await import('./creation-step.ts')).takeCreationStep)
    const choice = loadable(async () => (await import('./choice-step.ts')).takeChoiceStep)
    const solana = loadable(async () => (await import('./solana-creation.ts')).createSolanaCreation(ports))
    const calls = loadable(async () =>
      (await import('./host-calls.ts')).createHostCalls(ports, creation.load, solana.load),
    )
    /** A failure does not end the login. The next visit tries again. */
    const addSolana = async () => (await ports.load(solana.load)).atLogin()
    const load = () => Promise.all([creation.load(), step.load()])
    const loadForChoice = () => Promise.all([creation.load(), choice.load()])
    const loadDue = () => (requiresRecoveryChoice(ports.settings()) ? loadForChoice() : load())
    return {
      load: loadDue,
      hostCalls: { names: ['createWallet', 'createSolanaWallet', 'solanaWallet'], load: calls.load },
      async makeWallet(own) {
        const create = await ports.load(creation.load)
        return create('dialog', own)
      },
      afterLogin: [
        {
          isDue: (user, isWanted) => isChoiceDue(ports.settings(), user, isWanted),
          async run(after) {
            ports.wallet.prepare()
            const [create, take] = await ports.load(loadForChoice)
            return take(ports, create, after)
          },
        },
        {
          isDue: (user, isWanted) => isWalletDue(ports.settings(), user, isWanted),
          preload: async () => createOnLogin(ports.settings()) !== 'off' && loadDue(),
          async run(after) {
            ports.wallet.prepare()
            const [create, take] = await ports.load(load)
            return take(ports, create, after)
          },
          async catchUp() {
            const create = await ports.load(creation.load)
            await create('dialog')
          },
        },
        {
          isDue: (user) => isSolanaDue(ports.settings(), user),
          async run() {
            await addSolana()
            return { type: 'done' }
          },
          catchUp: addSolana,
        },
      ],
    }
  },
})

/** Returns whether the user needs a wallet. `isWanted`: the login's caller receives it, regardless of the settings. */
const isDue = (settings: Settings, user: UserRecord, isWanted = false): boolean =>
  needsWallet(isWanted ? 'all-users' : createOnLogin(settings), user)

/** Returns whether to create a wallet without a recovery choice. Otherwise, the choice step creates it. */
export const isWalletDue = (settings: Settings, user: UserRecord, isWanted?: boolean): boolean =>
  !requiresRecoveryChoice(settings) && isDue(settings, user, isWanted)

const isChoiceDue = (settings: Settings, user: UserRecord, isWanted?: boolean): boolean =>
  requiresRecoveryChoice(settings) && isDue(settings, user, isWanted)

/** Returns whether a login creates a Solana wallet, after an Ethereum wallet if both are due. */
export function isSolanaDue(settings: Settings, user: UserRecord): boolean {
  const option = settings.config.embeddedWallets?.createOnLogin
  if (typeof option !== 'object' || !needsWallet(option.solana, user, 'solana')) return false
  const ethereum = findEmbeddedWallet(user)
  // A separate Solana wallet has automatic recovery only.
  if (!ethereum) return !requiresRecoveryChoice(settings)
  return settings.app.solanaBesideEthereum && !ethereum.imported
}

/** The wallet's code comes when somebody may need a wallet: a login has begun, or a user is there. */
import { loadable } from './core/loadable.ts'
import type { Wallet } from './wallet/wallet.ts'

export function lazyWallet(load: () => Promise<Wallet>): Wallet {
  const wallet = loadable(load)

  /** What is only made ready is not missed where the code does not come; whoever needs it asks again, and hears. */
  function prepare(run: (loaded: Wallet) => void) {
    wallet.load().then(run, () => {})
  }

  return {
    prepare: () => prepare((loaded) => loaded.prepare()),
    prepareOperation: () => prepare((loaded) => loaded.prepareOperation()),
    loginVault: () => wallet.loaded()?.loginVault(),
    acceptLogin: (...login) => wallet.loaded()?.acceptLogin(...login),
    create: async (options) => (await wallet.load()).create(options),
    connect: async (...call) => (await wallet.load()).connect(...call),
    recover: async (...call) => (await wallet.load()).recover(...call),
    setRecovery: async (...call) => (await wallet.load()).setRecovery(...call),
    confirm: async (...call) => (await wallet.load()).confirm(...call),
    prepareSign: (...call) => prepare((loaded) => loaded.prepareSign(...call)),
    signMessage: async (...call) => (await wallet.load()).signMessage(...call),
    sign: async (...call) => (await wallet.load()).sign(...call),
    begin: async (asker) => (await wallet.load()).begin(asker),
    end: (operation) => wallet.loaded()?.end(operation),
    tokenFor: async (...call) => (await wallet.load()).tokenFor(...call),
    pageUrl: async (page) => (await wallet.load()).pageUrl(page),
    forget: async (userId) => (await wallet.load()).forget(userId),
  }
}

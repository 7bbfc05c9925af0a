/** Loads the wallet code when it may be needed: after a login began, or for a logged-in user. */
import { loadable } from '../browser/loadable.ts'
import type { Wallet } from '../wallet/wallet.ts'

export function lazyWallet(load: () => Promise<Wallet>): Wallet {
  const wallet = loadable(load)

  /** Preparation ignores a failed load; the next use retries and reports it. */
  function prepare(run: (loaded: Wallet) => void) {
    wallet.load().then(run, () => {})
  }

  const call =
    <Given extends readonly unknown[], Answer>(
      pick: (loaded: Wallet) => (...given: Given) => Answer | Promise<Answer>,
    ) =>
    async (...given: Given): Promise<Answer> =>
      pick(await wallet.load())(...given)

  return {
    prepare: () => prepare((loaded) => loaded.prepare()),
    prepareOperation: () => prepare((loaded) => loaded.prepareOperation()),
    loginVault: () => wallet.loaded()?.loginVault(),
    acceptLogin: (...login) => prepare((loaded) => loaded.acceptLogin(...login)),
    create: call(({ create }) => create),
    connect: call(({ connect }) => connect),
    recover: call(({ recover }) => recover),
    setRecovery: call(({ setRecovery }) => setRecovery),
    confirm: call(({ confirm }) => confirm),
    offer: call(({ offer }) => offer),
    prepareSign: (...given) => prepare((loaded) => loaded.prepareSign(...given)),
    signMessage: call(({ signMessage }) => signMessage),
    sign: call(({ sign }) => sign),
    solana: call(({ solana }) => solana),
    runStep: async (...given) => (await wallet.load()).runStep(...given),
    begin: call(({ begin }) => begin),
    end: (operation) => wallet.loaded()?.end(operation),
    requestToken: call(({ requestToken: tokenFor }) => tokenFor),
    pageUrl: call(({ pageUrl }) => pageUrl),
    recoveryWindows: call(({ recoveryWindows }) => recoveryWindows),
    exportWindows: call(({ exportWindows }) => exportWindows),
    forget: call(({ forget }) => forget),
  }
}

/** The wallet's code comes when somebody may need a wallet: a login has begun, or a user is there. */
import { loadable } from '../browser/loadable.ts'
import type { Wallet } from '../wallet/wallet.ts'

export function lazyWallet(load: () => Promise<Wallet>): Wallet {
  const wallet = loadable(load)

  /** What is only made ready is not missed where the code does not come; whoever needs it asks again, and hears. */
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

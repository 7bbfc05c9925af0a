/** Services of the dialog. */
import type { Api } from '../api/client.ts'
import type { Analytics, Clock, HostPage, KeyValueStore, TellPage } from '../browser/ports.ts'
import type { Settings } from '../host/settings.ts'
import type { Session } from '../session/session.ts'
import type { Wallet } from '../wallet/wallet.ts'

export type DialogServices = TellPage & {
  api: Api
  session: Session
  wallet: Wallet
  clock: Clock
  analytics: Analytics
  store: KeyValueStore
  settings: () => Settings
  chooseChain: (chainId: number) => void
  /** The host page, or undefined in a standalone dialog. */
  page: HostPage | undefined
  /** Runs when the browser is idle and no card is opening. */
  whenIdle: (run: () => void) => void
}

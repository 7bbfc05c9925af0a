/** What flows get from outside. */
import type { Api } from '../api/client.ts'
import type { Analytics, Clock, HostPage, KeyValueStore, TellPage } from '../browser/ports.ts'
import type { Settings } from '../host/settings.ts'
import type { Session } from '../session/session.ts'
import type { Wallet } from '../wallet/wallet.ts'

export type FlowPorts = TellPage & {
  api: Api
  session: Session
  wallet: Wallet
  clock: Clock
  analytics: Analytics
  store: KeyValueStore
  settings: () => Settings
  chooseChain: (chainId: number) => void
  /** The host's; undefined where the dialog is a page of its own. */
  page: HostPage | undefined
  /** Once a card that opens has the focus, and the browser nothing else to do. */
  whenIdle: (run: () => void) => void
}

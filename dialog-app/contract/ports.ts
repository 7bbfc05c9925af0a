/** What flows get from outside. */
import type { Api } from '../api/client.ts'
import type { Analytics, Clock, HostPage, KeyValueStore, TellPage } from '../browser/ports.ts'
import type { Settings } from '../host/settings.ts'
import type { Session } from '../session/session.ts'
import type { Wallet } from '../wallet/wallet.ts'

export type FlowPorts = TellPage & {
  readonly api: Api
  readonly session: Session
  readonly wallet: Wallet
  readonly clock: Clock
  readonly analytics: Analytics
  readonly store: KeyValueStore
  readonly settings: () => Settings
  readonly chooseChain: (chainId: number) => void
  /** The host's; undefined where the dialog is a page of its own. */
  readonly page: HostPage | undefined
  /** Once a card that opens has the focus, and the browser nothing else to do. */
  readonly whenIdle: (run: () => void) => void
}

/** What flows get from outside. */
import type { Analytics } from '../api/analytics.ts'
import type { Api } from '../api/client.ts'
import type { Clock, HostPage, KeyValueStore, WalletsOfHost } from '../ports.ts'
import type { Session } from '../session/session.ts'
import type { Wallet } from '../wallet/wallet.ts'
import type { Settings } from './settings.ts'

export type FlowPorts = HostPage & {
  readonly api: Api
  readonly session: Session
  readonly wallet: Wallet
  readonly clock: Clock
  readonly analytics: Analytics
  readonly store: KeyValueStore
  readonly settings: () => Settings
  /** Undefined where there is no host. */
  readonly walletsOfHost: WalletsOfHost | undefined
}

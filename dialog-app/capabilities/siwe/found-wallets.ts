/** What the page of the host has said of its user's wallets. */
import { dialogLimits, LatchkeyError, siweLimits } from '@latchkey/protocol'
import type { HostWallet, HostWallets } from '@latchkey/protocol/host'
import type { FlowPorts } from '../../core/ports.ts'
import { within } from '../../waiting.ts'

export type FoundWallets = {
  readonly present: () => readonly HostWallet[]
  /** Of the host's page, for a wallet that is to open it. */
  readonly page: () => string | undefined
  /** Asks the page again. Resolves with its answer, or once it has not said it in time. */
  readonly look: () => Promise<void>
  /** The answer, if it comes before anybody sees that it is waited for. */
  readonly briefly: (looking: Promise<void>) => Promise<void>
  readonly isReturned: () => boolean
  /** The wallet in whose browser the page was opened to go on here: once. */
  readonly takeReturn: () => HostWallets['returned']
}

export function createFoundWallets({
  walletsOfHost,
  clock,
}: Pick<FlowPorts, 'walletsOfHost' | 'clock'>): FoundWallets {
  let said: HostWallets = { wallets: [] }
  let returned: HostWallets['returned']

  async function ask() {
    if (!walletsOfHost) return
    said = await walletsOfHost.find()
    returned ??= said.returned
  }

  return {
    present: () => said.wallets,
    page: () => said.page,
    look: () => within(clock, siweLimits.connectorInitMs, ask(), tooLate).catch(() => {}),
    briefly: (looking) => within(clock, dialogLimits.progressAfterMs, looking, tooLate).catch(() => {}),
    isReturned: () => returned !== undefined,
    takeReturn() {
      const taken = returned
      returned = undefined
      return taken
    },
  }
}

const tooLate = () => new LatchkeyError('client_request_timeout', 'The page did not say its wallets in time')

/** What the page of the host has said of its user's wallets. */
import { dialogLimits, LatchkeyError, siweLimits } from '@latchkey/protocol'
import type { HostWallet, HostWallets } from '@latchkey/protocol/host'
import type { FlowPorts } from '../../core/ports.ts'
import { within } from '../../waiting.ts'

/** As the parameters of the page's address name it. */
export type ReturnedTo = { readonly connector: string; readonly walletClient: string }

export type FoundWallets = {
  readonly present: () => readonly HostWallet[]
  /** Of the host's page, for a wallet that is to open it. */
  readonly page: () => string | undefined
  /** Asks the page again. Resolves with its answer, or once it has not said it in time. */
  readonly look: () => Promise<void>
  /** The answer, if it comes before anybody sees that it is waited for. */
  readonly briefly: (looking: Promise<void>) => Promise<void>
  /** The page was opened in the browser of a wallet, to go on there. */
  readonly returnTo: (wallet: ReturnedTo) => void
  /** Once. */
  readonly takeReturn: () => ReturnedTo | undefined
}

export function createFoundWallets({
  walletsOfHost,
  clock,
}: Pick<FlowPorts, 'walletsOfHost' | 'clock'>): FoundWallets {
  let said: HostWallets = { wallets: [] }
  let returned: ReturnedTo | undefined

  async function ask() {
    if (!walletsOfHost) return
    said = await walletsOfHost.find()
  }

  return {
    present: () => said.wallets,
    page: () => said.page,
    look: () => within(clock, siweLimits.connectorInitMs, ask(), tooLate).catch(() => {}),
    briefly: (looking) => within(clock, dialogLimits.progressAfterMs, looking, tooLate).catch(() => {}),
    returnTo(wallet) {
      returned = wallet
    },
    takeReturn() {
      const taken = returned
      returned = undefined
      return taken
    },
  }
}

const tooLate = () => new LatchkeyError('client_request_timeout', 'The page did not say its wallets in time')

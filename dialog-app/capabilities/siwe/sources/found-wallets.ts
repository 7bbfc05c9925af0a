/** What the page of the host has said of its user's wallets. */
import { dialogLimits, LatchkeyError, siweLimits } from '@latchkey/protocol'
import type { HostWallet } from '@latchkey/protocol/host'
import * as v from 'valibot'
import type { DialogServices } from '../../../app/services.ts'
import type { HostPage } from '../../../browser/ports.ts'
import { withDeadline } from '../../../browser/waiting.ts'
import { isSameAddress } from './connector.ts'

/** The wallet that the parameters of the page's address name. */
export type ReturnedTo = { connector: string; walletClient: string }

export type FoundWallets = {
  present: () => readonly HostWallet[]
  /** The ids of those wallets in which this page has the account already that was looked for. */
  holders: () => readonly string[]
  /** Asks the page again, and resolves with its answer, or once the page has not answered in time. */
  look: (wanted?: string) => Promise<void>
  /** Waits for the answer only as long as nobody sees that it is waited for. */
  briefly: (looking: Promise<void>) => Promise<void>
  /** The page was opened in the browser of a wallet, to go on there. */
  returnTo: (wallet: ReturnedTo) => void
  /** The wallet that was returned to is told once. */
  takeReturn: () => ReturnedTo | undefined
}

export function createFoundWallets({
  page,
  clock,
}: Pick<DialogServices, 'clock'> & { page: HostPage }): FoundWallets {
  let present: readonly HostWallet[] = []
  let holders: readonly string[] = []
  let returned: ReturnedTo | undefined

  async function ask(wanted: string | undefined, signal: AbortSignal) {
    present = (await page.findWallets()).wallets
    holders = []
    if (wanted === undefined) return
    const asked = present.map(async ({ id }) => {
      const answer = await page.request({ wallet: id, method: 'eth_accounts', params: [] }, { signal })
      return 'result' in answer && has(answer.result, wanted) ? [id] : []
    })
    const answers = await Promise.allSettled(asked)
    holders = answers.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
  }

  return {
    present: () => present,
    holders: () => holders,
    async look(wanted) {
      const asking = new AbortController()
      await withDeadline(clock, siweLimits.connectorInitMs, ask(wanted, asking.signal), tooLate).catch(
        () => {},
      )
      asking.abort()
    },
    briefly: (looking) => withDeadline(clock, dialogLimits.progressAfterMs, looking, tooLate).catch(() => {}),
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

const accounts = v.array(v.string())
/** A wallet says it without asking its user, of a page that it was connected to before. */
const has = (said: unknown, wanted: string) =>
  v.is(accounts, said) && said.some((each) => isSameAddress(each, wanted))

const tooLate = () => new LatchkeyError('client_request_timeout', 'The page did not say its wallets in time')

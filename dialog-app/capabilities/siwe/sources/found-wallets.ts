/** The wallets that the host page detected in this browser. */
import { dialogLimits, LatchkeyError, siweLimits } from '@latchkey/protocol'
import {
  findSolanaWalletsMethod,
  type HostWallet,
  hostPageId,
  hostWalletsSchema,
} from '@latchkey/protocol/host'
import * as v from 'valibot'
import type { DialogServices } from '../../../app/services.ts'
import type { HostPage } from '../../../browser/ports.ts'
import { withDeadline } from '../../../browser/waiting.ts'
import { isSameAddress } from './connector.ts'

/** The wallet named in the page's URL parameters. */
export type ReturnedTo = { connector: string; walletClient: string }

export type FoundWallets = {
  present: () => readonly HostWallet[]
  /** Solana wallets, which only log in. Empty in apps without that login. */
  solana: () => HostWallet[]
  /** The ids of the wallets that already expose the wanted account to this page. */
  holders: () => readonly string[]
  /** Queries the page again. Resolves with its response, however late. */
  look: (wanted?: string) => Promise<void>
  /** Waits for the response only as long as the delay stays unnoticeable. */
  briefly: (looking: Promise<void>) => Promise<void>
  /** Waits for the response, but not longer than for a wallet connector to start. */
  inTime: (looking: Promise<void>) => Promise<void>
  /** Records that the login continues in a wallet's own browser. */
  returnTo: (wallet: ReturnedTo) => void
  /** Returns the recorded wallet once. */
  takeReturn: () => ReturnedTo | undefined
}

export function createFoundWallets({
  page,
  clock,
  settings,
}: Pick<DialogServices, 'clock' | 'settings'> & { page: HostPage }): FoundWallets {
  let present: readonly HostWallet[] = []
  let solana: HostWallet[] = []
  let holders: readonly string[] = []
  let returned: ReturnedTo | undefined

  const waitFor = (deadlineMs: number, looking: Promise<void>) =>
    withDeadline(clock, deadlineMs, looking, tooLate).catch(() => {})
  const inTime = (looking: Promise<void>) => waitFor(siweLimits.connectorInitMs, looking)

  async function ask(wanted: string | undefined) {
    // Before the answer, because that of an earlier query may come later.
    holders = []
    const asking = new AbortController()
    const [{ wallets }, solanaWallets] = await Promise.all([page.findWallets(), findSolana(asking.signal)])
    present = wallets
    solana = solanaWallets
    if (wanted === undefined) return
    await inTime(findHolders(wanted, asking.signal))
    asking.abort()
  }

  async function findHolders(wanted: string, signal: AbortSignal) {
    const queries = present.map(async ({ id }) => {
      const answer = await page.request({ wallet: id, method: 'eth_accounts', params: [] }, { signal })
      return 'result' in answer && has(answer.result, wanted) ? [id] : []
    })
    const answers = await Promise.allSettled(queries)
    holders = answers.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
  }

  async function findSolana(signal: AbortSignal): Promise<HostWallet[]> {
    if (!settings().app.solanaWalletAuth) return []
    const request = { wallet: hostPageId, method: findSolanaWalletsMethod, params: [] }
    // An earlier loader does not know the request.
    const answer = await page.request(request, { signal }).catch(() => undefined)
    const { success, output } = v.safeParse(hostWalletsSchema, Object(answer).result)
    return success ? output.wallets : []
  }

  return {
    present: () => present,
    solana: () => solana,
    holders: () => holders,
    look: (wanted) => ask(wanted).catch(() => {}),
    briefly: (looking) => waitFor(dialogLimits.progressAfterMs, looking),
    inTime,
    returnTo(wallet) {
      returned = wallet
    },
    takeReturn() {
      const wallet = returned
      returned = undefined
      return wallet
    },
  }
}

const accounts = v.array(v.string())
/** Wallets answer `eth_accounts` without a prompt if the page was connected before. */
const has = (said: unknown, wanted: string) =>
  v.is(accounts, said) && said.some((each) => isSameAddress(each, wanted))

const tooLate = () => new LatchkeyError('client_request_timeout', 'The page did not say its wallets in time')

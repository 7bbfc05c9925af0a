/**
 * Money for a wallet of the user: by card at a provider, in a tab of its own, or sent to the address by whoever has
 * some. What becomes of a payment is asked of the server; what arrived, of the chain, which has the last word.
 */
import { chainOfAddress, LatchkeyError } from '@latchkey/protocol'
import { fundingLimits, fundingRoutes } from '@latchkey/protocol/api'
import { type Chain, chainOf, type NamedChain } from '@latchkey/protocol/chains'
import type { MoreAnswer } from '@latchkey/protocol/host'
import { formatWhole } from '@latchkey/protocol/reading'
import { rejectedError } from '../../approval/rejection.ts'
import { wait } from '../../browser/waiting.ts'
import { createRpc, type Rpc } from '../../chains/rpc.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { done, type FlowHandle, failed, type RunningFlow } from '../../flow/flow.ts'
import { screen } from '../../flow/screen.ts'
import { currentChain } from '../../host/chains.ts'
import { appName } from '../../host/settings.ts'
import { type AskedFunds, askedConfig, currencyToBuy } from './asked-config.ts'
import type { FundingBrowser } from './browser.ts'
import { whenArrived } from './incoming-money.ts'
import { type Answer, beginning, type Polling, pollingAfter } from './on-ramp-status.ts'
import type { CardWay, Missing } from './prompt-screen.tsx'
import { rememberedPayment } from './remembered.ts'
import { promptScreen, receiveScreen, statusScreen, transferScreen } from './screens.ts'

export type Funded = MoreAnswer<'fundWallet'>
type Ports = CapabilityPorts & FundingBrowser
type Asked = AskedFunds & { readonly userId: string }

export function createFundingFlow(
  ports: Ports,
  asked: Asked,
  handle: FlowHandle<Funded>,
): RunningFlow<Funded> {
  const { api, clock, settings, analytics } = ports
  const { address, needed } = asked
  const { signal } = handle
  const isTest = settings().config.fiatOnRamp?.useSandbox === true
  const provider = settings().addresses[isTest ? 'moonpaySandbox' : 'moonpay']
  const memory = rememberedPayment(ports, asked.userId)
  const watched = watchedChain()

  let card: CardWay = { at: 'preparing' }
  let session: { readonly url: string; readonly reference: string } | undefined
  /** Of the payment that was begun last; the words about an earlier one come too late. */
  let polling: { readonly reference: string; now: Polling } | undefined
  let arrived: bigint | undefined

  function watchedChain(): { readonly chain: Chain; readonly rpc: Rpc } | undefined {
    if (needed) return needed
    if (chainOfAddress(address) === 'solana') return undefined
    const { app } = settings()
    const chainId = currentChain(settings())
    const urls = app.rpcUrls[String(chainId)]
    return urls && { chain: chainOf(app, chainId), rpc: createRpc(urls, ports) }
  }

  const missing = (): Missing | undefined =>
    needed && { amount: amountOn(needed.chain, needed.missing), network: needed.chain.name }

  /** From a wallet that its user brings, in an app that takes such wallets. */
  const canTransfer = settings().app.walletAuth && watched?.chain.symbol !== undefined

  function show(view: ReturnType<typeof promptView | typeof statusView | typeof receiveView>) {
    if (handle.isAt(view)) handle.update(view)
    else handle.go(view)
  }

  const promptView = () =>
    screen(
      promptScreen,
      { appName: appName(settings()), address, missing: missing(), card, canTransfer },
      {
        pay,
        opened: () => session && begun(session.reference),
        retry: () => void prepare(),
        receive,
        transfer,
      },
    )
  function setCard(way: CardWay) {
    card = way
    if (handle.isAt(promptScreen)) handle.update(promptView())
  }

  /** Before it is pressed, so that the press opens the page itself. */
  async function prepare() {
    setCard({ at: 'preparing' })
    session = undefined
    try {
      const body = {
        address,
        useSandbox: isTest,
        config: askedConfig(asked, settings(), ports.prefersDark()),
      }
      const { signedUrl: url, externalTransactionId: reference } = await api.call(
        fundingRoutes.signFunding,
        body,
        { signal },
      )
      if (provider === undefined || !url.startsWith(`${provider}?`)) throw elsewhere()
      session = { url, reference }
      setCard({ at: 'ready' })
    } catch {
      if (!signal.aborted) setCard({ at: 'failed' })
    }
  }

  function pay() {
    // What was gone back to may show how it was.
    if (!session || card.at !== 'ready') return setCard(card)
    const { url, reference } = session
    if (ports.openTab(url)) return begun(reference)
    // The opener policy of the host's page hides a window that came.
    if (settings().app.crossOriginOpenerPolicy === 'same-origin') return begun(reference, url)
    setCard({ at: 'blocked', url })
  }

  function begun(reference: string, perhapsBlocked?: string) {
    analytics('sdk_fiat_on_ramp_started')
    memory.remember({ reference, address, atMs: clock.nowMs() })
    follow(reference, perhapsBlocked)
    // Another try is another payment.
    void prepare()
  }

  function follow(reference: string, perhapsBlocked?: string) {
    const own = { reference, now: beginning }
    polling = own
    const view = () => showStatus(own, perhapsBlocked)
    view()
    poll(own, view).catch(() => {})
  }

  const statusView = (status: Polling['status'] | 'arrived', perhapsBlocked: string | undefined) =>
    screen(statusScreen, { status, perhapsBlocked }, { leave: () => leave(status) })
  function showStatus({ now: { status } }: { readonly now: Polling }, perhapsBlocked?: string) {
    const isThere = arrived !== undefined && status !== 'completed'
    show(statusView(isThere ? 'arrived' : status, perhapsBlocked))
  }

  async function poll(own: { readonly reference: string; now: Polling }, view: () => void) {
    while (!own.now.isOver) {
      await wait(clock, fundingLimits.statusPollMs, signal)
      const answer = await statusOf(own.reference)
      if (signal.aborted || polling !== own) return
      own.now = pollingAfter(own.now, answer)
      const { status, isOver } = own.now
      if (isOver) analytics('sdk_fiat_on_ramp_completed_with_status')
      if (status === 'completed' || status === 'failed') memory.forget()
      if (handle.isAt(statusScreen)) view()
    }
  }

  async function statusOf(externalTransactionId: string): Promise<Answer> {
    try {
      const query = { externalTransactionId }
      const asker = { signal, query, retries: 0 }
      return { type: 'told', transaction: await api.call(fundingRoutes.fundingStatus, undefined, asker) }
    } catch (error) {
      const isUnknown = error instanceof LatchkeyError && error.code === 'not_found'
      return { type: isUnknown ? 'nothing yet' : 'failed' }
    }
  }

  function leave(status: Polling['status'] | 'arrived') {
    if (status === 'waitingAuthorization' || status === 'arrived') memory.forget()
    handle.end(done(funded()))
  }

  const receiveView = () => {
    const chain = watched?.chain
    const { app, addresses } = settings()
    const isTestNetwork = chain !== undefined && app.testNetworks.includes(chain.id)
    return screen(
      receiveScreen,
      {
        address,
        network: chain?.name,
        chainId: chain?.id,
        missing: missing(),
        canTransfer,
        faucetUrl: isTestNetwork ? addresses[`faucet${chain.id}`] : undefined,
        arrived: chain && arrived !== undefined ? amountOn(chain, arrived) : undefined,
      },
      { leave: () => handle.end(done(funded())), transfer },
    )
  }
  const receive = () => show(receiveView())

  function transfer() {
    const chain = watched?.chain
    if (chain?.symbol === undefined) return
    const { name, symbol, decimals } = chain
    handle.go(
      screen(
        transferScreen,
        {
          address,
          network: name,
          symbol,
          decimals,
          amount: needed ? formatWhole(needed.missing, decimals) : '',
        },
        { choose: (value) => void payFrom(chain, value) },
      ),
    )
  }

  /** What was sent is on its way: the screen that watches the chain shows it when it comes. */
  async function payFrom(chain: NamedChain, value: bigint) {
    const payment = { to: address, chain, value, amount: amountOn(chain, value) }
    const paid = await ports.payFromWallet(handle, payment).catch(() => 'left' as const)
    if (paid === 'sent' && !signal.aborted) handle.go(receiveView())
  }

  async function watchChain() {
    if (!watched) return
    arrived = await whenArrived(
      { rpc: watched.rpc, address, untilBalance: needed?.untilBalance },
      clock,
      signal,
    )
    if (signal.aborted) return
    // Whoever waited for it goes on by themselves.
    if (needed) return handle.end(done(funded()))
    if (handle.isAt(receiveScreen)) handle.update(receiveView())
    if (handle.isAt(statusScreen) && polling) showStatus(polling)
  }

  const funded = (): Funded => ({ status: polling?.now.status ?? null })

  return {
    kind: 'approval',
    run() {
      watchChain().catch(() => {})
      if (provider === undefined || currencyToBuy(asked, settings()) === undefined) return receive()
      handle.go(promptView())
      const before = memory.find(address)
      if (before) follow(before.reference)
      void prepare()
    },
    onClose: () => (polling || arrived !== undefined ? done(funded()) : failed(rejectedError())),
    onBack: () => done(funded()),
  }
}

/** A chain that nobody has named has no name for its money either. */
const amountOn = (chain: Chain, amount: bigint): string =>
  chain.symbol === undefined ? String(amount) : `${formatWhole(amount, chain.decimals)} ${chain.symbol}`

const elsewhere = () => new LatchkeyError('invalid_answer', 'The address is none of the provider')

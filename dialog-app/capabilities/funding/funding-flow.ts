/**
 * Money for a wallet of the user: by card at a provider, in a tab of its own, or sent to the address by whoever has
 * some. What becomes of a payment is asked of the server; what arrived, of the chain, which has the last word.
 * `funding-state.ts` decides what comes next; this does it.
 */
import { getChainType, LatchkeyError } from '@latchkey/protocol'
import { fundingLimits, fundingRoutes } from '@latchkey/protocol/api'
import { type Chain, getChain, type NamedChain } from '@latchkey/protocol/chains'
import { formatExact } from '@latchkey/protocol/reading'
import { wait } from '../../browser/waiting.ts'
import { createRpc, type Rpc } from '../../chains/rpc.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { done, type FlowHandle, type RunningFlow } from '../../flow/flow.ts'
import { createMachine, partOf } from '../../flow/machine.ts'
import { screen } from '../../flow/screen.ts'
import { currentChain } from '../../host/chains.ts'
import { appName } from '../../host/settings.ts'
import { type AskedFunds, askedConfig, currencyToBuy } from './asked-config.ts'
import type { FundingBrowser } from './browser.ts'
import {
  type CardPhase,
  endingOfClose,
  type Funded,
  type FundingEffect,
  type FundingEvent,
  type FundingState,
  fundedOf,
  fundingStep,
  shownStatus,
  unfunded,
} from './funding-state.ts'
import { whenArrived } from './incoming-money.ts'
import type { Answer } from './on-ramp-status.ts'
import type { CardWay, Missing } from './prompt-screen.tsx'
import { rememberedPayment } from './remembered.ts'
import { promptScreen, receiveScreen, statusScreen, transferScreen } from './screens.ts'

type Ports = CapabilityPorts & FundingBrowser
type FundingRequest = AskedFunds & { userId: string }

export function createFundingFlow(
  ports: Ports,
  asked: FundingRequest,
  handle: FlowHandle<Funded>,
): RunningFlow<Funded> {
  const { api, clock, settings, analytics } = ports
  const { address, needed } = asked
  const { signal } = handle
  const isTest = settings().config.fiatOnRamp?.useSandbox === true
  const provider = settings().addresses[isTest ? 'moonpaySandbox' : 'moonpay']
  const memory = rememberedPayment(ports, asked.userId)
  const watched = watchedChain()

  function watchedChain(): { chain: Chain; rpc: Rpc } | undefined {
    if (needed) return needed
    if (getChainType(address) === 'solana') return undefined
    const { app } = settings()
    const chainId = currentChain(settings())
    const urls = app.rpcUrls[String(chainId)]
    return urls && { chain: getChain(app, chainId), rpc: createRpc(urls, ports) }
  }

  const missing = (): Missing | undefined =>
    needed && { amount: amountOn(needed.chain, needed.missing), network: needed.chain.name }

  /** From a wallet that its user brings, in an app that takes such wallets. */
  const canTransfer = settings().app.walletAuth && watched?.chain.symbol !== undefined

  const machine = createMachine<FundingState, FundingEvent, FundingEffect>({
    initial: unfunded(needed !== undefined),
    step: fundingStep,
    draw,
    ...partOf(handle),
    effects: {
      sign: signPage,
      // In the press, so that the browser lets a window come.
      'open tab'({ url }) {
        // The opener policy of the host's page hides a window that came.
        const isHidden = settings().app.crossOriginOpenerPolicy === 'same-origin'
        const tab = ports.openTab(url) ? 'open' : isHidden ? 'unknown' : 'blocked'
        machine.send({ type: 'tab', tab })
      },
      remember: ({ reference }) => memory.remember({ reference, address, atMs: clock.nowMs() }),
      forget: () => memory.forget(),
      'show prompt'() {
        if (handle.isAt(promptScreen)) handle.update(promptView())
      },
      'show status'() {
        show(statusView())
      },
      async poll({ reference }) {
        await wait(clock, fundingLimits.statusPollMs, signal)
        return { type: 'answered', reference, answer: await statusOf(reference) }
      },
      track: ({ event }) => analytics(event),
      end: ({ ending }) => handle.end(ending),
    },
  })

  function show(view: ReturnType<typeof statusView | typeof receiveView>) {
    if (handle.isAt(view)) handle.update(view)
    else handle.go(view)
  }
  /** Whichever screen is present shows what has changed. */
  function draw({ payment }: FundingState) {
    if (handle.isAt(promptScreen)) handle.update(promptView())
    if (handle.isAt(receiveScreen)) handle.update(receiveView())
    if (handle.isAt(statusScreen) && payment) handle.update(statusView())
  }

  const promptView = () =>
    screen(
      promptScreen,
      {
        appName: appName(settings()),
        address,
        missing: missing(),
        card: cardWay(machine.state().phase),
        canTransfer,
      },
      {
        pay: () => machine.send({ type: 'pay' }),
        opened: () => machine.send({ type: 'followed link' }),
        retry: () => machine.send({ type: 'retry' }),
        receive,
        transfer,
      },
    )

  const statusView = () => {
    const state = machine.state()
    const { perhapsBlocked } = state.payment ?? {}
    return screen(
      statusScreen,
      { status: shownStatus(state), perhapsBlocked },
      { leave: () => machine.send({ type: 'leave status' }) },
    )
  }

  /** The page is signed before it is asked for, so that the press opens it. */
  async function signPage(): Promise<FundingEvent> {
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
      if (provider === undefined || !url.startsWith(`${provider}?`)) throw foreignAddress()
      return { type: 'signed', url, reference }
    } catch {
      return { type: 'not signed' }
    }
  }

  async function statusOf(externalTransactionId: string): Promise<Answer> {
    try {
      const query = { externalTransactionId }
      const options = { signal, query, retries: 0 }
      return { type: 'told', transaction: await api.call(fundingRoutes.fundingStatus, undefined, options) }
    } catch (error) {
      const isUnknown = error instanceof LatchkeyError && error.code === 'not_found'
      return { type: isUnknown ? 'nothing yet' : 'failed' }
    }
  }

  const receiveView = () => {
    const chain = watched?.chain
    const { arrived } = machine.state()
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
      { leave: () => handle.end(done(fundedOf(machine.state()))), transfer },
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
          amount: needed ? formatExact(needed.missing, decimals) : '',
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
    const { rpc } = watched
    const amount = await whenArrived({ rpc, address, untilBalance: needed?.untilBalance }, clock, signal)
    machine.send({ type: 'arrived', amount })
  }

  return {
    kind: 'approval',
    run() {
      watchChain().catch(() => {})
      if (provider === undefined || currencyToBuy(asked, settings()) === undefined) return receive()
      handle.go(promptView())
      machine.send({ type: 'begin', remembered: memory.find(address)?.reference })
    },
    onClose: () => endingOfClose(machine.state()),
    onBack: () => done(fundedOf(machine.state())),
  }
}

function cardWay(phase: CardPhase): CardWay {
  return phase.at === 'blocked' ? { at: phase.at, url: phase.url } : { at: phase.at }
}

/** A chain that nobody has named has no name for its money either. */
const amountOn = (chain: Chain, amount: bigint): string =>
  chain.symbol === undefined ? String(amount) : `${formatExact(amount, chain.decimals)} ${chain.symbol}`

const foreignAddress = () => new LatchkeyError('invalid_answer', 'The address is none of the provider')

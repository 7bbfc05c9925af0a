/** The state and the actions that the screens of one funding share. They outlive each screen. */
import { getChainType, LatchkeyError } from '@latchkey/protocol'
import { fundingLimits, fundingRoutes } from '@latchkey/protocol/api'
import { type Chain, getChain, type NamedChain } from '@latchkey/protocol/chains'
import { formatExact } from '@latchkey/protocol/reading'
import { atom, createStore } from 'jotai/vanilla'
import { wait } from '../../browser/waiting.ts'
import { createRpc, type Rpc } from '../../chains/rpc.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { currentChain } from '../../host/chains.ts'
import { type AskedFunds, askedConfig, currencyToBuy } from './asked-config.ts'
import type { FundingBrowser } from './browser.ts'
import { whenArrived } from './incoming-money.ts'
import { createPayment, getShownStatus, type Payment, type StatusResponse, updatePayment } from './payment.ts'
import { rememberedPayment } from './remembered.ts'

export type FundingServices = CapabilityPorts & FundingBrowser
export type FundingRequest = AskedFunds & { userId: string }

/** The provider's page, signed for the next payment. */
export type ProviderPage =
  | { at: 'preparing' }
  | { at: 'failed' }
  /** `blocked`: the browser opened no window. */
  | { at: 'ready' | 'blocked'; url: string; reference: string }

type FundingState = { page: ProviderPage; payment: Payment | undefined; arrived: bigint | undefined }

export const fundingAtom = atom<FundingState>({
  page: { at: 'preparing' },
  payment: undefined,
  arrived: undefined,
})

export type Funding = ReturnType<typeof createFunding>

export function createFunding(services: FundingServices, request: FundingRequest, signal: AbortSignal) {
  const { api, clock, settings, analytics } = services
  const { address, needed } = request
  const isTest = settings().config.fiatOnRamp?.useSandbox === true
  const provider = settings().addresses[isTest ? 'moonpaySandbox' : 'moonpay']
  const memory = rememberedPayment(services, request.userId)
  const watched = getWatchedChain()
  const chain = watched?.chain
  const store = createStore()
  const state = () => store.get(fundingAtom)
  const update = (change: Partial<FundingState>) => store.set(fundingAtom, { ...state(), ...change })
  const { promise: finished, resolve: finish, reject: fail } = Promise.withResolvers<void>()

  function getWatchedChain(): { chain: Chain; rpc: Rpc } | undefined {
    if (needed) return needed
    if (getChainType(address) === 'solana') return undefined
    const { app } = settings()
    const chainId = currentChain(settings())
    const urls = app.rpcUrls[String(chainId)]
    return urls && { chain: getChain(app, chainId), rpc: createRpc(urls, services) }
  }

  /** Signs the provider's page ahead, so that a press can open it. */
  async function prepare() {
    update({ page: { at: 'preparing' } })
    try {
      const config = askedConfig(request, settings(), services.prefersDark())
      const { signedUrl: url, externalTransactionId: reference } = await api.call(
        fundingRoutes.signFunding,
        { address, useSandbox: isTest, config },
        { signal },
      )
      const isOfProvider = provider !== undefined && url.startsWith(`${provider}?`)
      update({ page: isOfProvider ? { at: 'ready', url, reference } : { at: 'failed' } })
    } catch {
      update({ page: { at: 'failed' } })
    }
  }

  /** Opens the provider's page. Runs in the press, because browsers block a later window. Returns whether it opened. */
  function pay(): boolean {
    const { page } = state()
    if (page.at !== 'ready') return false
    const isOpen = services.openTab(page.url)
    // The opener policy of the host page hides a window that opened.
    const isHidden = settings().app.crossOriginOpenerPolicy === 'same-origin'
    if (isOpen || isHidden) startPayment(page.reference, isOpen ? undefined : page.url)
    else update({ page: { ...page, at: 'blocked' } })
    return isOpen || isHidden
  }

  /** The user followed the link to the blocked page. Returns whether a payment started. */
  function payByLink(): boolean {
    const { page } = state()
    if (page.at !== 'blocked') return false
    startPayment(page.reference)
    return true
  }

  function startPayment(reference: string, perhapsBlocked?: string) {
    analytics('sdk_fiat_on_ramp_started')
    memory.remember({ reference, address, atMs: clock.nowMs() })
    follow(createPayment(reference, perhapsBlocked)).catch(fail)
    // Each payment has its own signed page.
    void prepare()
  }

  /** Continues the payment that was pending when the card closed. Returns whether there is one. */
  function resume(): boolean {
    const remembered = memory.find(address)
    if (remembered) follow(createPayment(remembered.reference)).catch(fail)
    return remembered !== undefined
  }

  /** Polls the status until it is final or another payment starts. */
  async function follow(payment: Payment) {
    update({ payment })
    for (let latest = payment; !latest.isOver; update({ payment: latest })) {
      await wait(clock, fundingLimits.statusPollMs, signal)
      const response = await getStatus(payment.reference)
      if (signal.aborted || state().payment !== latest) return
      latest = updatePayment(latest, response)
    }
    analytics('sdk_fiat_on_ramp_completed_with_status')
    const status = state().payment?.status
    if (status === 'completed' || status === 'failed') memory.forget()
  }

  async function getStatus(externalTransactionId: string): Promise<StatusResponse> {
    try {
      const options = { signal, query: { externalTransactionId }, retries: 0 }
      return { type: 'found', transaction: await api.call(fundingRoutes.fundingStatus, undefined, options) }
    } catch (error) {
      const isUnknown = error instanceof LatchkeyError && error.code === 'not_found'
      return { type: isUnknown ? 'not found' : 'failed' }
    }
  }

  /** Watches the chain for incoming funds. The required amount ends the call. */
  async function watchChain() {
    if (!watched) return
    const { rpc } = watched
    const arrived = await whenArrived({ rpc, address, untilBalance: needed?.untilBalance }, clock, signal)
    update({ arrived })
    if (needed) finish()
  }

  function leaveStatus() {
    const status = getShownStatus(state())
    if (status === 'waitingAuthorization' || status === 'arrived') memory.forget()
    finish()
  }

  /** Returns the transfer from an external wallet, if the app allows these wallets. */
  function createTransfer(): { chain: NamedChain; amount: string } | undefined {
    if (!settings().app.walletAuth || chain?.symbol === undefined) return undefined
    return { chain, amount: needed ? formatExact(needed.missing, chain.decimals) : '' }
  }

  return {
    address,
    /** The chain that is watched, or undefined for an unknown one. */
    chain,
    missing: needed && formatAmount(needed.chain, needed.missing),
    transfer: createTransfer(),
    /** True if the provider sells the required currency. */
    canBuy: provider !== undefined && currencyToBuy(request, settings()) !== undefined,
    store,
    prepare,
    pay,
    payByLink,
    resume,
    watchChain,
    leaveStatus,
    payFromWallet: services.payFromWallet,
    /** Settles when the call is to end. */
    finished,
    finish,
    fail,
  }
}

/** An unknown chain has an unknown currency. */
export const formatAmount = (chain: Chain, amount: bigint): string =>
  chain.symbol === undefined ? String(amount) : `${formatExact(amount, chain.decimals)} ${chain.symbol}`

/**
 * Sends a transaction that the user has seen: prepared by what the chain says, shown with what it does and costs,
 * signed in the vault as it was shown, sent, and followed until the chain has carried it out.
 */
import { embeddedWallet, LatchkeyError, type WalletAccount, walletLimits } from '@latchkey/protocol'
import { type Chain, chainOf } from '@latchkey/protocol/chains'
import type { WalletRpcRequest } from '@latchkey/protocol/wallet'
import {
  type Confirming,
  confirmingHandlers,
  isForPage,
  type PuttingAsker,
  requestConfirmed,
  type ShownApproval,
} from '../../approval/confirmed.ts'
import { isExpiry, isRefusal, rejectedError } from '../../approval/rejection.ts'
import { createRpc, type Fetch, type Rpc } from '../../chains/rpc.ts'
import type { NeededFunds } from '../../contract/add-funds.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { done, type FlowHandle, failed, type RunningFlow } from '../../flow/flow.ts'
import { type Handlers, screen } from '../../flow/screen.ts'
import { requireUser } from '../../host/require-user.ts'
import { appName, fundingIsOn, maySignSilently } from '../../host/settings.ts'
import type { Confirmed } from '../../wallet/confirmed.ts'
import { createWalletCalls } from '../../wallet/wallet-obstacles.ts'
import {
  becameOf,
  broadcast,
  type ChainReceipt,
  confirmed,
  problemsWithHash,
  SendFailure,
  type SendProblem,
} from './confirmation.ts'
import { l1FeeOf } from './l1-fee.ts'
import type { Nonces } from './nonces.ts'
import { prepare } from './preparation.ts'
import type { Receipt, SendRequest, Sent } from './request.ts'
import { sendScreen } from './screens.ts'
import type { FailureCode, Reviewed, SendEvents, SendStep, ShownSend } from './send-screen.tsx'
import { english } from './texts.arb'
import { asHex, type Hex, readTransaction, type Transaction, unsupportedChain } from './transaction.ts'

export type SendPorts = CapabilityPorts & { readonly fetch: Fetch; readonly nonces: Nonces }

/** What it is refused with before anything is shown. */
export type Readied = {
  readonly account: WalletAccount
  readonly transaction: Transaction
  readonly chain: Chain
  readonly rpc: Rpc
}

export async function readyToSend(
  ports: SendPorts,
  { transaction: given }: SendRequest,
  signal: AbortSignal,
): Promise<Readied> {
  const account = embeddedWallet(await requireUser(ports, { signal }))
  if (!account) throw new LatchkeyError('embedded_wallet_not_found', 'The user has no wallet to send with')
  const settings = ports.settings()
  const { checksummed } = await ports.load(() => import('./lazy/ethereum.ts'))
  const transaction = readTransaction(given, { wallet: account.address, checksummed }, settings)
  const chain = chainOf(settings.app, transaction.chainId)
  const urls = settings.app.rpcUrls[String(transaction.chainId)]
  if (!urls) throw unsupportedChain(transaction.chainId)
  // Another one could show its user a transaction as it is not.
  const ofHost = settings.config.rpcUrls?.[String(chain.id)]
  if (ofHost !== undefined && !urls.includes(ofHost)) {
    throw new LatchkeyError('not_supported', 'Chains are asked at the addresses of the app, not of the page')
  }
  return { account, transaction, chain, rpc: createRpc(urls, ports) }
}

type Phase =
  | { readonly at: 'preparing' }
  | { readonly at: 'review'; readonly confirming: Confirming }
  | { readonly at: 'submitting' }
  | { readonly at: 'waiting'; readonly sent: Sent }
  /** `again`: what a retry asks for. */
  | { readonly at: 'failed'; readonly error: LatchkeyError; readonly again: Again }
  /** It can not be paid, which money may change. */
  | { readonly at: 'lacking'; readonly error: LatchkeyError; readonly needed: NeededFunds }
  | { readonly at: 'done' }

type Again = {
  readonly wanted: Transaction
  /** One that waits is no answer to it: this may pay more, and be carried out in its place. */
  readonly mayReplace: boolean
}
/** What was given to a node. That it refused it, or gave no answer, does not say that no node has it. */
type Tried = { readonly sent: Sent; readonly nonce: number }

export function createSendFlow(
  ports: SendPorts,
  { account, transaction, chain, rpc }: Readied,
  { ui = {}, answerWhen = 'confirmed', window: opened, relayed }: SendRequest,
  handle: FlowHandle<Sent>,
): RunningFlow<Sent> {
  const { wallet, session, remedies, load, settings, clock, confirmOnPage, nonces } = ports
  const { address } = account
  const sender = { chainId: chain.id, address }
  const { signal } = handle
  const requester = relayed?.requester
  const callWallet = createWalletCalls(remedies)
  let shown: ShownSend = {
    ui,
    chain,
    from: address,
    to: transaction.to,
    value: transaction.value,
    appName: appName(settings()),
    origin: settings().hostOrigin,
    ...(requester && { appName: requester.name, origin: requester.url, isRelayed: true }),
    isHandedOver: answerWhen === 'signed',
    usd: null,
    priceDisplay: settings().config.embeddedWallets?.priceDisplay,
  }
  let phase: Phase = { at: 'preparing' }
  /** For the first review: it is closed after that. */
  let window = opened
  let tried: readonly Tried[] = []
  /** Of a try that may be carried out still. */
  let undecided: LatchkeyError | undefined
  let isAnswered = false
  /** Nothing is seen, as long as the server may yet say that nobody has to be asked. */
  let isSilent = !requester && maySignSilently(settings())

  function show(step: SendStep) {
    if (isSilent) return
    const view = screen(sendScreen, { ...shown, ...step }, handlers)
    if (handle.isAt(sendScreen)) handle.update(view)
    else handle.replace(view)
  }
  const handlers: Handlers<SendEvents> = {
    ...confirmingHandlers(() => (phase.at === 'review' ? phase.confirming : undefined)),
    retry: () => phase.at === 'failed' && !isAnswered && void retry(phase.again),
    addFunds: () => phase.at === 'lacking' && void addFunds(phase.needed),
    leave: () => handle.end(),
  }

  async function attempt(wanted: Transaction) {
    phase = { at: 'preparing' }
    show({ status: 'loading' })
    const ready = await prepareAll(wanted)
    if (!ready) return
    const { prepared, action } = ready
    let confirmed: Confirmed | undefined
    try {
      const { serialize } = await load(() => import('./lazy/ethereum.ts'))
      const request: WalletRpcRequest = {
        method: 'eth_signTransaction',
        params: [serialize(transaction, prepared), address],
      }
      confirmed = await agreed(ready, request)
      phase = { at: 'submitting' }
      show({ status: 'submitting', prepared, action })
      await send(prepared.nonce, request, confirmed)
    } catch (error) {
      if (signal.aborted) return
      if (isForPage(error) && confirmed && confirmed.place !== 'page') {
        isSilent = false
        return attempt(wanted)
      }
      const own = isUsedUp(error) ? await findInItsPlace() : undefined
      if (signal.aborted) return
      if (own) return followTried(own, wanted)
      fail(error, wanted, prepared.nonce)
    }
  }

  /** What was sent before and is there after all is followed, and nothing is signed anew. */
  async function retry(again: Again) {
    phase = { at: 'preparing' }
    show({ status: 'loading' })
    let found: Tried | undefined
    try {
      found = await findTried(again)
    } catch (cause) {
      if (!signal.aborted) failPreparation(cause, again)
      return
    }
    if (!found) return attempt(again.wanted)
    await followTried(found, again.wanted)
  }

  async function followTried(found: Tried, wanted: Transaction) {
    try {
      await follow(found)
    } catch (error) {
      if (!signal.aborted) fail(error, wanted, found.nonce)
    }
  }

  async function findTried({ mayReplace }: Pick<Again, 'mayReplace'>): Promise<Tried | undefined> {
    for (const each of tried) {
      const became = await becameOf(rpc, each.sent.receipt.transactionHash, signal)
      if (became === 'carried-out' || (became === 'waiting' && !mayReplace)) return each
    }
    return undefined
  }

  /** The one before that used up the number of the last. The node that is asked may not have heard of it yet. */
  async function findInItsPlace(): Promise<Tried | undefined> {
    const { looksUntilDropped, receiptPollMs } = walletLimits
    const looks = tried.length > 1 ? looksUntilDropped : 0
    for (let look = 1; look <= looks; look += 1) {
      if (look > 1) await pause(receiptPollMs)
      const found = await findTried({ mayReplace: true }).catch(() => undefined)
      if (found) return found
    }
    return undefined
  }

  async function prepareAll(wanted: Transaction) {
    try {
      const { actionOf, l1FeeQuestion, serialize } = await load(() => import('./lazy/ethereum.ts'))
      const asking = { rpc, clock, signal, serialize, question: l1FeeQuestion }
      const [prepared, action] = await Promise.all([
        prepare(rpc, address, wanted, signal, chain.isOpStack ? l1FeeOf(wanted, asking) : undefined),
        actionOf(rpc, transaction, signal),
      ])
      // Another try of the same transaction may take the number that it had before.
      const isFree = wanted.nonce === undefined && tried.length === 0
      const nonce = isFree ? Math.max(prepared.nonce, nonces.least(sender)) : prepared.nonce
      return { prepared: { ...prepared, nonce }, action }
    } catch (cause) {
      if (!signal.aborted) failPreparation(cause, { wanted, mayReplace: false })
      return undefined
    }
  }

  /** By the limits that the server holds, or by the user. */
  async function agreed(reviewed: Reviewed, request: WalletRpcRequest): Promise<Confirmed> {
    const { hasEnough, willFail } = reviewed.prepared
    if (!isSilent) return review(reviewed, request)
    const isAsked = hasEnough && !willFail
    const known = isAsked ? await wallet.confirm(address, request, { signal, place: 'silent' }) : undefined
    if (known?.place === 'silent') return known
    isSilent = false
    return review(reviewed, request, known)
  }

  /** What can not be paid can not be approved either: it waits for the user to leave, who refused nothing. */
  function review(
    { prepared, action }: Reviewed,
    request: WalletRpcRequest,
    known?: Confirmed,
  ): Promise<Confirmed> {
    if (!prepared.hasEnough) {
      const error = failureOf('INSUFFICIENT_FUNDS', english.funds.insufficient)
      const { balance, mostFee } = prepared
      const untilBalance = transaction.value + mostFee
      const missing = untilBalance - balance
      phase = { at: 'lacking', error, needed: { address, chain, rpc, missing, untilBalance } }
      const isFundable = fundingIsOn(settings())
      show({ status: 'review', prepared, action, approval: unapproved, ...(isFundable && { missing }) })
      return new Promise(() => {})
    }
    let first = known
    async function put(asker: PuttingAsker) {
      const confirmation = first ?? (await wallet.confirm(address, request, { signal, requester, ...asker }))
      first = undefined
      shown = { ...shown, usd: confirmation.usd }
      wallet.prepareSign(address, { signal, confirmation })
      return confirmation
    }
    const kind = requester ? 'page' : 'transaction'
    const asked = { kind, put, clock, card: handle, confirmOnPage, window } as const
    window = undefined
    const confirming = requestConfirmed(asked, (approval) => {
      if (phase.at === 'review' && phase.confirming === confirming)
        show({ status: 'review', prepared, action, approval })
    })
    phase = { at: 'review', confirming }
    show({ status: 'review', prepared, action, approval: confirming.shown() })
    return confirming.outcome
  }

  /** What it costs may be something else by then, so it is prepared anew. */
  async function addFunds(needed: NeededFunds) {
    await ports.addFunds(handle, needed).catch(() => {})
    if (!signal.aborted) await attempt(transaction)
  }

  async function send(nonce: number, request: WalletRpcRequest, confirmation: Confirmed) {
    const { hashOf } = await load(() => import('./lazy/ethereum.ts'))
    await bringWallet()
    const signed = await callWallet({
      event: 'wallet:rpc',
      account,
      card: handle,
      call: (verification) => wallet.sign(address, request, { signal, verification, confirmation }),
    })
    // Whoever waited for it was told that nothing was sent.
    signal.throwIfAborted()
    const hash = hashOf(signed)
    const sent: Sent = { receipt: unconfirmed(hash), signedTransaction: asHex(signed) }
    if (answerWhen === 'signed') return handle.end(done(sent))
    tried = [...tried.filter((each) => each.sent.receipt.transactionHash !== hash), { sent, nonce }]
    // From here on a node may have it, whatever becomes of its answer.
    phase = { at: 'waiting', sent }
    await broadcast(rpc, signed, hash, signal)
    nonces.sent(sender, nonce)
    if (settings().config.embeddedWallets?.waitForTransactionConfirmation === false) {
      return succeed(sent)
    }
    if (answerWhen === 'sent') {
      if (isSilent) return handle.end(done(sent))
      // Its user sees what becomes of it all the same.
      isAnswered = true
      handle.settle(done(sent))
    }
    await follow({ sent, nonce })
  }

  /** What is released uses a second factor up, and only then is a wallet found away: it is brought here before. */
  async function bringWallet() {
    const state = session.state()
    if (state.status !== 'authenticated' || state.user.mfaMethods.length === 0) return
    const call = () => wallet.connect(address, { signal })
    await callWallet({ event: 'wallet:connect', account, card: handle, call })
  }

  async function follow({ sent, nonce }: Tried) {
    const hash = sent.receipt.transactionHash
    phase = { at: 'waiting', sent }
    show({ status: 'waiting', hash })
    const followed = { hash, from: address, nonce }
    const receipt = receiptOf(hash, await confirmed(followed, { rpc, signal, pause }))
    succeed({ ...sent, receipt })
  }

  const pause = (ms: number) => new Promise<void>((resolve) => void handle.after(ms, resolve))

  function succeed(sent: Sent) {
    if (signal.aborted) return
    phase = { at: 'done' }
    handle.settle(done(sent))
    if (isSilent) handle.end()
    else show({ status: 'success', hash: sent.receipt.transactionHash })
  }

  function failPreparation(cause: unknown, again: Again) {
    isSilent = false
    phase = {
      at: 'failed',
      error: failureOf('UNPREPARED', english.problems.UNPREPARED, undefined, cause),
      again,
    }
    show({ status: 'failed', code: 'UNPREPARED', hash: undefined })
  }

  function fail(cause: unknown, wanted: Transaction, nonce: number) {
    if (isRefusal(cause)) return handle.end(failed(undecided ?? cause))
    const failure = cause instanceof SendFailure ? cause : undefined
    const hash = failure && problemsWithHash.has(failure.problem) ? failure.hash : undefined
    const code = failure ? failure.problem : unsentCode(cause)
    const error = failureOf(code, english.problems[code], hash, cause)
    // Nothing was given to a node where the failure is another.
    const again = failure ? afterFailure(failure.problem, nonce, error) : { wanted, mayReplace: false }
    if (isSilent) return handle.end(failed(error))
    phase = { at: 'failed', error, again }
    show({ status: 'failed', code, hash, isAnswered })
  }

  function afterFailure(problem: SendProblem, nonce: number, error: LatchkeyError): Again {
    // Its number is used up, so that none of those before can be carried out.
    if (problem === 'CALL_EXCEPTION') tried = []
    // One of those before may be the one that waits.
    const isOwn = problem === 'REPLACEMENT_UNDERPRICED' && tried.length > 1
    const isUndecided = isOwn || keepsNonce.has(problem)
    undecided = isUndecided ? error : undefined
    // With another number, one of which nobody knows what became and this one could both be carried out.
    const wanted = { ...transaction, nonce: isUndecided ? nonce : undefined }
    return { wanted, mayReplace: problem === 'TIMEOUT' }
  }

  return {
    kind: 'approval',
    async run() {
      await attempt(transaction)
    },
    onClose() {
      const ending = whatIsDone()
      if (ending) return ending
      return failed(phase.at === 'failed' || phase.at === 'lacking' ? phase.error : rejectedError())
    },
    whatIsDone,
  }

  /** It is out of the user's hands, and may be carried out whether anybody looks or not. */
  function whatIsDone() {
    if (phase.at === 'waiting') return done(phase.sent)
    return undecided && failed(undecided)
  }
}

const unapproved: ShownApproval = { by: 'press', gate: { state: 'waiting', sinceMs: 0, asks: false } }

const unsentCode = (cause: unknown): FailureCode => (isExpiry(cause) ? 'UNCONFIRMED' : 'UNSIGNED')

const isUsedUp = (error: unknown) =>
  error instanceof SendFailure &&
  (error.problem === 'NONCE_EXPIRED' || error.problem === 'TRANSACTION_REPLACED')

/** Nobody knows whether these are carried out still. */
const keepsNonce: ReadonlySet<SendProblem> = new Set([
  'NETWORK_ERROR',
  'TIMEOUT',
  'TRANSACTION_DROPPED',
  'UNKNOWN_ERROR',
])

const failureOf = (code: string, message: string, hash?: string, cause?: unknown) =>
  new LatchkeyError(code === 'INSUFFICIENT_FUNDS' ? 'insufficient_funds' : 'transaction_failure', message, {
    cause,
    details: { code, ...(hash && { transactionHash: hash }) },
  })

const unconfirmed = (transactionHash: Hex): Receipt => ({
  transactionHash,
  status: null,
  gasUsed: null,
  effectiveGasPrice: null,
})

const receiptOf = (transactionHash: Hex, { gasUsed, effectiveGasPrice }: ChainReceipt): Receipt => ({
  transactionHash,
  status: 'success',
  gasUsed: String(gasUsed),
  effectiveGasPrice: effectiveGasPrice === undefined ? null : String(effectiveGasPrice),
})

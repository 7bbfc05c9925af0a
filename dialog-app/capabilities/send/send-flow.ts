/**
 * Sends a transaction that the user has seen: prepared by what the chain says, shown with what it does and costs,
 * signed in the vault as it was shown, sent, and followed until the chain has carried it out.
 */
import { embeddedWallet, LatchkeyError, toLatchkeyError, type WalletAccount } from '@latchkey/protocol'
import { type Chain, knownChain } from '../../chains/known.ts'
import { createRpc, type Fetch, type Rpc } from '../../chains/rpc.ts'
import { type Approval, requestApproval } from '../../core/approval.ts'
import type { CapabilityPorts } from '../../core/capability.ts'
import { requireWorthless } from '../../core/chains.ts'
import { done, type FlowHandle, failed, type RunningFlow } from '../../core/flow.ts'
import { rejectedError } from '../../core/rejection.ts'
import { requireUser } from '../../core/require-user.ts'
import { screen } from '../../core/screen.ts'
import { appName } from '../../core/settings.ts'
import { createWalletCalls } from '../../core/wallet-obstacles.ts'
import type { Action } from './action.ts'
import {
  broadcast,
  type ChainReceipt,
  confirmed,
  problemsWithHash,
  SendFailure,
  type SendProblem,
} from './confirmation.ts'
import { type Prepared, prepare } from './preparation.ts'
import type { Receipt, SendRequest } from './request.ts'
import { sendScreen } from './screens.ts'
import type { SendStep, ShownSend } from './send-screen.tsx'
import { english } from './texts.en.ts'
import { type Hex, readTransaction, type Transaction, unsupportedChain } from './transaction.ts'

export type SendPorts = CapabilityPorts & { readonly fetch: Fetch }

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
  const { checksummed } = await ports.load(() => import('./later-ethereum.ts'))
  const transaction = readTransaction(given, { wallet: account.address, checksummed }, settings)
  const chain = knownChain(transaction.chainId)
  const urls = settings.app.rpcUrls[String(transaction.chainId)]
  if (!chain || !urls) throw unsupportedChain(transaction.chainId)
  // Another one could show its user a transaction as it is not.
  const ofHost = settings.config.rpcUrls?.[String(chain.id)]
  if (ofHost !== undefined && !urls.includes(ofHost)) {
    throw new LatchkeyError('not_supported', 'Chains are asked at the addresses of the app, not of the page')
  }
  requireWorthless(settings, chain.id)
  return { account, transaction, chain, rpc: createRpc(urls, ports) }
}

type Phase =
  | { readonly at: 'preparing' }
  | { readonly at: 'review'; readonly approval: Approval }
  | { readonly at: 'submitting' }
  | { readonly at: 'waiting'; readonly hash: Hex }
  /** `again`: what a retry asks for. */
  | { readonly at: 'failed'; readonly error: LatchkeyError; readonly again: Transaction }
  | { readonly at: 'done' }

export function createSendFlow(
  ports: SendPorts,
  { account, transaction, chain, rpc }: Readied,
  { ui = {} }: SendRequest,
  handle: FlowHandle<Receipt>,
): RunningFlow<Receipt> {
  const { wallet, remedies, load, settings } = ports
  const { address } = account
  const { signal } = handle
  const callWallet = createWalletCalls(remedies)
  const shown: ShownSend = {
    ui,
    chain,
    from: address,
    to: transaction.to,
    value: transaction.value,
    appName: appName(settings()),
    origin: settings().hostOrigin,
  }
  let phase: Phase = { at: 'preparing' }

  function show(step: SendStep) {
    const handlers = { notice, retry, leave: () => handle.end() }
    const view = screen(sendScreen, { ...shown, ...step }, handlers)
    if (handle.isAt(sendScreen)) handle.update(view)
    else handle.replace(view)
  }
  const notice: Approval['handlers']['notice'] = (noticed) => {
    if (phase.at === 'review') phase.approval.handlers.notice(noticed)
  }
  function retry() {
    if (phase.at === 'failed') void attempt(phase.again)
  }

  async function attempt(wanted: Transaction) {
    phase = { at: 'preparing' }
    show({ status: 'loading' })
    const ready = await prepareAll(wanted)
    if (!ready) return
    const { prepared, action } = ready
    try {
      const refusal = await review(prepared, action)
      if (refusal) return handle.end(failed(refusal))
      phase = { at: 'submitting' }
      show({ status: 'submitting', prepared, action })
      await send(prepared)
    } catch (error) {
      if (!signal.aborted) fail(error, prepared.nonce)
    }
  }

  async function prepareAll(wanted: Transaction) {
    try {
      const { actionOf } = await load(() => import('./later-ethereum.ts'))
      const [prepared, action] = await Promise.all([
        prepare(rpc, address, wanted, signal),
        actionOf(rpc, transaction, signal),
      ])
      return { prepared, action }
    } catch (cause) {
      if (!signal.aborted) failPreparation(cause, wanted)
      return undefined
    }
  }

  /** Nothing for an approval, else why there can be none here. */
  function review(prepared: Prepared, action: Action): Promise<LatchkeyError | undefined> {
    const approval = requestApproval('transaction', (gate) => {
      if (phase.at === 'review' && phase.approval === approval)
        show({ status: 'review', prepared, action, gate })
    })
    phase = { at: 'review', approval }
    if (prepared.hasEnough) wallet.prepareSign(address, handle)
    show({ status: 'review', prepared, action, gate: approval.gate() })
    // What can not be paid can not be approved either: it waits for the user to leave.
    const outcome = prepared.hasEnough
      ? approval.outcome
      : approval.outcome.then(() => new Promise<never>(() => {}))
    return outcome.then(
      () => undefined,
      (error: unknown) => toLatchkeyError(error, 'unable_to_sign', 'It could not be approved'),
    )
  }

  async function send(prepared: Prepared) {
    const { serialize, hashOf } = await load(() => import('./later-ethereum.ts'))
    const unsigned = serialize(transaction, prepared)
    const signed = await callWallet({
      event: 'wallet:rpc',
      account,
      card: handle,
      call: (verification) =>
        wallet.sign(
          address,
          { method: 'eth_signTransaction', params: [unsigned, address] },
          { signal, verification },
        ),
    })
    const hash = hashOf(signed)
    await broadcast(rpc, signed, hash, signal)
    phase = { at: 'waiting', hash }
    if (settings().config.embeddedWallets?.waitForTransactionConfirmation === false) {
      return succeed(hash, unconfirmed(hash))
    }
    show({ status: 'waiting', hash })
    const sent = { hash, from: address, nonce: prepared.nonce }
    succeed(hash, receiptOf(hash, await confirmed(sent, { rpc, signal, pause })))
  }

  const pause = (ms: number) => new Promise<void>((resolve) => void handle.after(ms, resolve))

  function succeed(hash: Hex, receipt: Receipt) {
    if (signal.aborted) return
    phase = { at: 'done' }
    handle.settle(done(receipt))
    show({ status: 'success', hash })
  }

  function failPreparation(cause: unknown, again: Transaction) {
    phase = {
      at: 'failed',
      error: failureOf('UNPREPARED', english.problems.UNPREPARED, undefined, cause),
      again,
    }
    show({ status: 'failed', code: 'UNPREPARED', hash: undefined })
  }

  function fail(cause: unknown, nonce: number) {
    const problem: SendProblem = cause instanceof SendFailure ? cause.problem : 'UNKNOWN_ERROR'
    const hash = cause instanceof SendFailure && problemsWithHash.has(problem) ? cause.hash : undefined
    const code = cause instanceof SendFailure ? problem : 'UNSIGNED'
    // With another number, one of which nobody knows what became and this one could both be carried out.
    const again = { ...transaction, nonce: keepsNonce.has(problem) ? nonce : undefined }
    phase = { at: 'failed', error: failureOf(code, english.problems[code], hash, cause), again }
    show({ status: 'failed', code, hash })
  }

  return {
    kind: 'approval',
    async run() {
      await attempt(transaction)
    },
    onClose() {
      if (phase.at === 'failed') return failed(phase.error)
      // It is out of the user's hands, and may be carried out whether anybody looks or not.
      if (phase.at === 'waiting') return done(unconfirmed(phase.hash))
      return failed(rejectedError())
    },
  }
}

/** Nobody knows whether these are carried out still. */
const keepsNonce: ReadonlySet<SendProblem> = new Set(['NETWORK_ERROR', 'TIMEOUT', 'TRANSACTION_DROPPED'])

const failureOf = (code: string, message: string, hash: string | undefined, cause: unknown) =>
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

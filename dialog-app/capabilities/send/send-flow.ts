/**
 * Sends a transaction that the user has seen: prepared by what the chain says, shown with what it does and costs,
 * signed in the vault as it was shown, sent, and followed until the chain has carried it out. `send-state.ts` decides
 * what comes next; this does it.
 */
import { findEmbeddedWallet, LatchkeyError, type WalletAccount, walletLimits } from '@latchkey/protocol'
import { type Chain, getChain } from '@latchkey/protocol/chains'
import type { WalletRpcRequest } from '@latchkey/protocol/wallet'
import {
  confirmationHandlers,
  type PutOptions,
  requestConfirmation,
  type ShownApproval,
} from '../../approval/confirmed.ts'
import { asHex, type Hex } from '../../browser/hex.ts'
import { createRpc, type Fetch, type Rpc } from '../../chains/rpc.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { FlowHandle, RunningFlow } from '../../flow/flow.ts'
import { createMachine, partOf } from '../../flow/machine.ts'
import { type Handlers, screen } from '../../flow/screen.ts'
import { requireUser } from '../../host/require-user.ts'
import { appName, hasFunding, maySignSilently } from '../../host/settings.ts'
import { createWalletCalls } from '../../wallet/wallet-obstacles.ts'
import { becameOf, broadcast, confirmed } from './confirmation.ts'
import { l1FeeOf } from './l1-fee.ts'
import type { Nonces } from './nonces.ts'
import { prepare } from './preparation.ts'
import type { Reviewed, SendEvents, SendStep, ShownSend } from './screens/send-screen.tsx'
import { sendScreen } from './screens.ts'
import {
  endingOfClose,
  endingOfWhatIsDone,
  type Ready,
  type SendEffect,
  type SendEvent,
  type SendPhase,
  type SendState,
  sendStep,
  type Tried,
  unsentState,
} from './send-state.ts'
import {
  type Receipt,
  readTransaction,
  type SendRequest,
  type Sent,
  type Transaction,
  unsupportedChain,
} from './transaction.ts'

export type SendPorts = CapabilityPorts & { fetch: Fetch; nonces: Nonces }

/** What it is refused with before anything is shown. */
export type Readied = {
  account: WalletAccount
  transaction: Transaction
  chain: Chain
  rpc: Rpc
}

export async function readyToSend(
  ports: SendPorts,
  { transaction: given }: SendRequest,
  signal: AbortSignal,
): Promise<Readied> {
  const account = findEmbeddedWallet(await requireUser(ports, { signal }))
  if (!account) throw new LatchkeyError('embedded_wallet_not_found', 'The user has no wallet to send with')
  const settings = ports.settings()
  const { checksummed } = await ports.load(() => import('./lazy/ethereum.ts'))
  const transaction = readTransaction(given, { wallet: account.address, checksummed }, settings)
  const chain = getChain(settings.app, transaction.chainId)
  const urls = settings.app.rpcUrls[String(transaction.chainId)]
  if (!urls) throw unsupportedChain(transaction.chainId)
  // Another one could show its user a transaction as it is not.
  const ofHost = settings.config.rpcUrls?.[String(chain.id)]
  if (ofHost !== undefined && !urls.includes(ofHost)) {
    throw new LatchkeyError('not_supported', 'Chains are asked at the addresses of the app, not of the page')
  }
  return { account, transaction, chain, rpc: createRpc(urls, ports) }
}

type Effect<Type extends SendEffect['type']> = Extract<SendEffect, { type: Type }>

export function createSendFlow(
  ports: SendPorts,
  { account, transaction, chain, rpc }: Readied,
  { ui = {}, answerWhen = 'confirmed', window, relayed }: SendRequest,
  handle: FlowHandle<Sent>,
): RunningFlow<Sent> {
  const { wallet, session, remedies, load, settings, clock, confirmOnPage, nonces } = ports
  const { address } = account
  const sender = { chainId: chain.id, address }
  const { signal } = handle
  const requester = relayed?.requester
  const callWallet = createWalletCalls(remedies)
  const ethereum = () => load(() => import('./lazy/ethereum.ts'))
  const shown: Omit<ShownSend, 'usd'> = {
    ui,
    chain,
    from: address,
    to: transaction.to,
    value: transaction.value,
    appName: appName(settings()),
    origin: settings().hostOrigin,
    ...(requester && { appName: requester.name, origin: requester.url, isRelayed: true }),
    isHandedOver: answerWhen === 'signed',
    priceDisplay: settings().config.embeddedWallets?.priceDisplay,
  }

  const machine = createMachine<SendState, SendEvent, SendEffect>({
    initial: unsentState({
      transaction,
      answerWhen,
      window,
      isSilent: !requester && maySignSilently(settings()),
    }),
    step: sendStep,
    draw,
    ...partOf(handle),
    effects: {
      prepare: prepareAll,
      'confirm silently': ({ ready }) =>
        orFailed(async () => ({
          type: 'answered silently',
          confirmed: await wallet.confirm(address, requestOf(ready), { signal, place: 'silent' }),
        })),
      put,
      sign: ({ ready, confirmed }) => orFailed(() => sign(ready, confirmed)),
      broadcast: (tried) => orFailed(() => broadcastSigned(tried)),
      follow: ({ sent, nonce }) =>
        orFailed(async () => {
          const followed = { hash: sent.receipt.transactionHash, from: address, nonce }
          return { type: 'carried out', receipt: await confirmed(followed, { rpc, signal, pause }) }
        }),
      async find({ tried, mayReplace }) {
        try {
          return { type: 'looked', found: await findTried(tried, mayReplace) }
        } catch (cause) {
          return { type: 'unprepared', cause }
        }
      },
      'find in its place': findInItsPlace,
      async 'add funds'({ missing, untilBalance }) {
        await ports.addFunds(handle, { address, chain, rpc, missing, untilBalance }).catch(() => {})
        return { type: 'funded' }
      },
      settle: ({ ending }) => handle.settle(ending),
      end: ({ ending }) => handle.end(ending),
    },
  })

  async function orFailed(run: () => Promise<SendEvent>): Promise<SendEvent> {
    try {
      return await run()
    } catch (cause) {
      return { type: 'failed', cause }
    }
  }

  const handlers: Handlers<SendEvents> = {
    ...confirmationHandlers(() => {
      const { phase } = machine.state()
      return phase.at === 'review' ? phase.confirming : undefined
    }),
    retry: () => machine.send({ type: 'retry' }),
    addFunds: () => machine.send({ type: 'add funds' }),
    leave: () => handle.end(),
  }
  function draw({ phase, usd, isSilent, isAnswered }: SendState) {
    if (isSilent) return
    const step = stepOf(phase, { isFundable: hasFunding(settings()), isAnswered })
    const view = screen(sendScreen, { ...shown, usd, ...step }, handlers)
    if (handle.isAt(sendScreen)) handle.update(view)
    else handle.replace(view)
  }

  async function prepareAll({ wanted, isRetry }: Effect<'prepare'>): Promise<SendEvent> {
    let reviewed: Reviewed
    try {
      const { actionOf, l1FeeQuestion, serialize } = await ethereum()
      const asking = { rpc, clock, signal, serialize, question: l1FeeQuestion }
      const [prepared, action] = await Promise.all([
        prepare(rpc, address, wanted, signal, chain.isOpStack ? l1FeeOf(wanted, asking) : undefined),
        actionOf(rpc, transaction, signal),
      ])
      const isFree = wanted.nonce === undefined && !isRetry
      const nonce = isFree ? Math.max(prepared.nonce, nonces.least(sender)) : prepared.nonce
      reviewed = { prepared: { ...prepared, nonce }, action }
    } catch (cause) {
      return { type: 'unprepared', cause }
    }
    return orFailed(async () => {
      const { serialize } = await ethereum()
      const serialized = serialize(transaction, reviewed.prepared)
      return { type: 'prepared', ready: { wanted, reviewed, serialized } }
    })
  }

  const requestOf = ({ serialized }: Ready): WalletRpcRequest => ({
    method: 'eth_signTransaction',
    params: [serialized, address],
  })

  function put({ ready, known, window }: Effect<'put'>): void {
    const request = requestOf(ready)
    const answered = known ? [known] : []
    const confirming = requestConfirmation(
      {
        kind: requester ? 'page' : 'transaction',
        async put(asker: PutOptions) {
          const confirmation =
            answered.pop() ?? (await wallet.confirm(address, request, { signal, requester, ...asker }))
          machine.send({ type: 'priced', usd: confirmation.usd })
          wallet.prepareSign(address, { signal, confirmation })
          return confirmation
        },
        clock,
        card: handle,
        confirmOnPage,
        window,
      },
      (approval) => machine.send({ type: 'approval changed', confirming, approval }),
    )
    machine.send({ type: 'put', confirming, approval: confirming.shown() })
    confirming.outcome.then(
      (confirmed) => machine.send({ type: 'approved', confirming, confirmed }),
      (cause: unknown) => machine.send({ type: 'not approved', confirming, cause }),
    )
  }

  async function sign(ready: Ready, confirmation: Effect<'sign'>['confirmed']): Promise<SendEvent> {
    const { hashOf } = await ethereum()
    await connectWallet()
    const signed = await callWallet({
      event: 'wallet:rpc',
      account,
      card: handle,
      call: (verification) => wallet.sign(address, requestOf(ready), { signal, verification, confirmation }),
    })
    return {
      type: 'signed',
      sent: { receipt: unconfirmed(hashOf(signed)), signedTransaction: asHex(signed) },
    }
  }

  /**
   * What is released uses a second factor up, and only then is a wallet found to be on another device: it is connected
   * before.
   */
  async function connectWallet() {
    const state = session.state()
    if (state.status !== 'authenticated' || state.user.mfaMethods.length === 0) return
    const call = () => wallet.connect(address, { signal })
    await callWallet({ event: 'wallet:connect', account, card: handle, call })
  }

  /** Its number is used from then on, also where the card was closed meanwhile. */
  async function broadcastSigned({ sent, nonce }: Tried): Promise<SendEvent> {
    await broadcast(rpc, sent.signedTransaction, sent.receipt.transactionHash, signal)
    nonces.sent(sender, nonce)
    const isFollowed = settings().config.embeddedWallets?.waitForTransactionConfirmation !== false
    return { type: 'broadcast', isFollowed }
  }

  async function findTried(tried: readonly Tried[], mayReplace: boolean): Promise<Tried | undefined> {
    for (const each of tried) {
      const became = await becameOf(rpc, each.sent.receipt.transactionHash, signal)
      if (became === 'carried-out' || (became === 'waiting' && !mayReplace)) return each
    }
    return undefined
  }

  /** The node that is asked may not have heard of it yet. */
  async function findInItsPlace({ tried, cause }: Effect<'find in its place'>): Promise<SendEvent> {
    const { looksUntilDropped, receiptPollMs } = walletLimits
    for (let look = 1; look <= looksUntilDropped; look += 1) {
      if (look > 1) await pause(receiptPollMs)
      const found = await findTried(tried, true).catch(() => undefined)
      if (found) return { type: 'looked', found, cause }
    }
    return { type: 'looked', found: undefined, cause }
  }

  const pause = (ms: number) => new Promise<void>((resolve) => void handle.after(ms, resolve))

  return {
    kind: 'approval',
    run: () => machine.send({ type: 'begin' }),
    onClose: () => endingOfClose(machine.state()),
    whatIsDone: () => endingOfWhatIsDone(machine.state()),
  }
}

type Circumstances = { isFundable: boolean; isAnswered: boolean }

/** What the screen shows of a phase. */
function stepOf(phase: SendPhase, { isFundable, isAnswered }: Circumstances): SendStep {
  switch (phase.at) {
    case 'preparing':
    case 'finding':
    case 'confirming silently':
    case 'putting':
      return { status: 'loading' }
    case 'review':
      return { status: 'review', ...phase.ready.reviewed, approval: phase.approval }
    case 'lacking': {
      return { status: 'review', ...phase.reviewed, approval: unapproved, isFundable }
    }
    case 'signing':
    case 'broadcasting':
      return { status: 'submitting', ...phase.ready.reviewed }
    case 'following':
      return { status: 'waiting', hash: phase.sent.receipt.transactionHash }
    case 'failed':
      return { status: 'failed', code: phase.code, hash: phase.hash, isAnswered }
    case 'done':
      return { status: 'success', hash: phase.hash }
    default:
      return phase satisfies never
  }
}

const unapproved: ShownApproval = { by: 'press', gate: { state: 'waiting', sinceMs: 0, asks: false } }

const unconfirmed = (transactionHash: Hex): Receipt => ({
  transactionHash,
  status: null,
  gasUsed: null,
  effectiveGasPrice: null,
})

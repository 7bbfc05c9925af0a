/** The steps of a transaction: preparation, signature, submission, and the wait for its receipt. */
import { type WalletAccount, walletLimits } from '@latchkey/protocol'
import type { Chain } from '@latchkey/protocol/chains'
import type { Action } from '@latchkey/protocol/reading'
import type { WalletRpcRequest } from '@latchkey/protocol/wallet'
import { asHex, type Hex } from '../../browser/hex.ts'
import type { Fetch, Rpc } from '../../chains/rpc.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { CardHandle } from '../../flow/flow.ts'
import type { ConfirmedRequest } from '../../wallet/confirmed.ts'
import { createWalletCalls } from '../../wallet/wallet-obstacles.ts'
import { type Attempt, type Attempts, PreparationFailure } from './attempts.ts'
import { broadcast, type ChainReceipt, getOutcome, SendFailure, waitForReceipt } from './confirmation.ts'
import { getL1Fee } from './l1-fee.ts'
import type { Nonces } from './nonces.ts'
import { type Prepared, prepare } from './preparation.ts'
import type { Receipt, Sent, Transaction } from './transaction.ts'

export type SendPorts = CapabilityPorts & { fetch: Fetch; nonces: Nonces }

type StepPorts = Pick<SendPorts, 'wallet' | 'session' | 'settings' | 'remedies' | 'load' | 'clock' | 'nonces'>

/** A transaction that passed the checks before its screen. */
export type CheckedTransaction = {
  account: WalletAccount
  transaction: Transaction
  chain: Chain
  rpc: Rpc
}

/** The facts that the user reviews. */
export type Reviewed = { prepared: Prepared; action: Action }

type Delivery = {
  /** False if the call ends when a node has the transaction. */
  follows: boolean
  /** Runs when a node has the transaction, before the wait for its receipt. */
  onSent?: (sent: Sent) => void
  onFollow?: OnFollow
}
/** Receives the hash of the attempt that is followed. */
type OnFollow = (hash: Hex) => void

export type SendSteps = ReturnType<typeof createSendSteps>

export function createSendSteps(
  { wallet, session, settings, remedies, load, clock, nonces }: StepPorts,
  { account, transaction, chain, rpc }: CheckedTransaction,
  attempts: Attempts,
  card: Pick<CardHandle, 'after' | 'interrupt' | 'signal'>,
) {
  const { address } = account
  const { signal } = card
  const sender = { chainId: chain.id, address }
  const callWallet = createWalletCalls(remedies)
  const loadEthereum = () => load(() => import('./lazy/ethereum.ts'))
  const pause = (ms: number) => new Promise<void>((resolve) => void card.after(ms, resolve))

  /** Connects first if a signature uses up a second factor, and only then would miss the wallet on this device. */
  async function connect() {
    const state = session.state()
    if (state.status !== 'authenticated' || state.user.mfaMethods.length === 0) return
    const call = () => wallet.connect(address, { signal })
    await callWallet({ event: 'wallet:connect', account, card, call })
  }

  async function find(mayReplace: boolean): Promise<Attempt | undefined> {
    for (const attempt of attempts.all()) {
      const outcome = await getOutcome(rpc, attempt.sent.receipt.transactionHash, signal)
      if (outcome === 'included' || (outcome === 'pending' && !mayReplace)) return attempt
    }
    return undefined
  }

  /** Finds the attempt that used up the nonce. Polls, because nodes may report it late. */
  async function findInPlace(): Promise<Attempt | undefined> {
    const { looksUntilDropped, receiptPollMs } = walletLimits
    for (let poll = 1; poll <= looksUntilDropped; poll += 1) {
      if (poll > 1) await pause(receiptPollMs)
      const attempt = await find(true).catch(() => undefined)
      if (attempt) return attempt
    }
    return undefined
  }

  async function follow(attempt: Attempt, onFollow: OnFollow): Promise<Sent> {
    const { sent, nonce } = attempt
    const { transactionHash } = sent.receipt
    attempts.follow(attempt)
    onFollow(transactionHash)
    const followed = { hash: transactionHash, from: address, nonce }
    const receipt = await waitForReceipt(followed, { rpc, signal, pause })
    return { ...sent, receipt: toReceipt(transactionHash, receipt) }
  }

  return {
    /** Reads everything that the user reviews from the chain. */
    async prepare(): Promise<Reviewed> {
      const isRetry = attempts.all().length > 0
      const nextTransaction = attempts.begin()
      try {
        const { readAction, l1FeeCall, serialize } = await loadEthereum()
        const l1Fee = chain.isOpStack
          ? getL1Fee(nextTransaction, { rpc, clock, signal, serialize, l1FeeCall })
          : undefined
        const [prepared, action] = await Promise.all([
          prepare(rpc, address, nextTransaction, signal, l1Fee),
          readAction(rpc, transaction, signal),
        ])
        // A retry may use the nonce of the attempt before.
        const isNonceFree = nextTransaction.nonce === undefined && !isRetry
        const nonce = isNonceFree ? Math.max(prepared.nonce, nonces.least(sender)) : prepared.nonce
        return { prepared: { ...prepared, nonce }, action }
      } catch (cause) {
        throw new PreparationFailure(cause)
      }
    },

    async toRequest({ prepared }: Reviewed): Promise<WalletRpcRequest> {
      const { serialize } = await loadEthereum()
      return { method: 'eth_signTransaction', params: [serialize(transaction, prepared), address] }
    },

    async sign(request: WalletRpcRequest, confirmation: ConfirmedRequest): Promise<Sent> {
      const { hashTransaction } = await loadEthereum()
      await connect()
      const signed = await callWallet({
        event: 'wallet:rpc',
        account,
        card,
        call: (verification) => wallet.sign(address, request, { signal, verification, confirmation }),
      })
      // A call that ended meanwhile sends nothing.
      signal.throwIfAborted()
      return { receipt: toReceipt(hashTransaction(signed)), signedTransaction: asHex(signed) }
    },

    /** Submits the transaction to a node, and follows it until the chain included it or another attempt. */
    async deliver(
      sent: Sent,
      { prepared: { nonce } }: Reviewed,
      { follows, onSent = () => {}, onFollow = () => {} }: Delivery,
    ): Promise<Sent> {
      const attempt = { sent, nonce }
      attempts.add(attempt)
      try {
        await broadcast(rpc, sent.signedTransaction, sent.receipt.transactionHash, signal)
        // The nonce is used from now on, even if the card was closed meanwhile.
        nonces.sent(sender, nonce)
        const { waitForTransactionConfirmation } = settings().config.embeddedWallets ?? {}
        if (!follows || waitForTransactionConfirmation === false) return sent
        onSent(sent)
        return await follow(attempt, onFollow)
      } catch (cause) {
        const mayBeOwn = isNonceUsed(cause) && attempts.all().length > 1
        const other = mayBeOwn ? await findInPlace() : undefined
        if (!other) throw cause
        return follow(other, onFollow)
      }
    },

    /** Returns the outcome of an earlier attempt, or undefined if the user must approve another one. */
    async resume(onFollow: OnFollow): Promise<Sent | undefined> {
      attempts.forgetFailure()
      const attempt = await find(attempts.mayReplace()).catch((cause: unknown) => {
        throw new PreparationFailure(cause)
      })
      return attempt && follow(attempt, onFollow)
    },
  }
}

const isNonceUsed = (error: unknown) =>
  error instanceof SendFailure &&
  (error.problem === 'NONCE_EXPIRED' || error.problem === 'TRANSACTION_REPLACED')

const toReceipt = (transactionHash: Hex, included?: ChainReceipt): Receipt => ({
  transactionHash,
  status: included ? 'success' : null,
  gasUsed: included ? String(included.gasUsed) : null,
  effectiveGasPrice: included?.effectiveGasPrice === undefined ? null : String(included.effectiveGasPrice),
})

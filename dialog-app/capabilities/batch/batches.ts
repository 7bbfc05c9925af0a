/**
 * The host calls `sendBatch`, `batchStatus` and `showBatch`. Where the operator pays, all calls happen together after
 * one approval (`atomic-batch.ts`). Otherwise a card lists them, and each call is then sent and approved like any other
 * transaction.
 */
import {
  findEmbeddedWallet,
  LatchkeyError,
  type TransactionRequest,
  type WalletAccount,
  walletLimits,
} from '@latchkey/protocol'
import { sponsorRoutes } from '@latchkey/protocol/api'
import { getChain } from '@latchkey/protocol/chains'
import {
  type BatchReceipt,
  batchCalls,
  batchReceiptSchema,
  batchRefusals,
  batchVersion,
} from '@latchkey/protocol/host'
import * as v from 'valibot'
import { createCall } from '../../app/screen-stack.ts'
import { isRejection, rejectedError } from '../../approval/rejection.ts'
import type { KeyValueStore } from '../../browser/ports.ts'
import { createRpc, type Fetch, type Rpc, toQuantity } from '../../chains/rpc.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { undecidedProblems } from '../../contract/sending.ts'
import { createUserFlows } from '../../contract/user-flows.ts'
import { done, type Flow, failed } from '../../flow/flow.ts'
import { usableChains } from '../../host/chains.ts'
import type { ServedHostCalls } from '../../host/host-calls.ts'
import { requireUser } from '../../host/require-user.ts'
import { appName } from '../../host/settings.ts'
import type { BatchFacts } from './batch-screen.tsx'
import { getOutcomes, getStatus, type Outcome, operationOutcomes, operationStatuses } from './batch-status.ts'
import { BatchRefusal, readBatch } from './read-batch.ts'
import { batchScreen } from './screens.ts'
import { createStoredBatches, type StoredBatch } from './stored-batches.ts'

export function createBatches(
  ports: CapabilityPorts,
  tab: KeyValueStore,
  fetch: Fetch = (...call) => globalThis.fetch(...call),
): ServedHostCalls<keyof typeof batchCalls> {
  const { settings, callByName, clock } = ports
  const begin = createUserFlows(ports)
  const stored = createStoredBatches(tab, clock, settings())
  /** The ids of the batches that this page is sending. */
  const running = new Set<string>()
  /** The batches in review, by wallet and id. Their ids are in use before they are stored. */
  const reviewed = new Set<string>()

  async function requireAccount(signal: AbortSignal): Promise<WalletAccount> {
    const account = findEmbeddedWallet(await requireUser(ports, { signal }))
    if (account) return account
    throw new LatchkeyError('embedded_wallet_not_found', 'The user has no wallet to send with')
  }
  async function find(id: string, signal: AbortSignal): Promise<StoredBatch> {
    const batch = stored.find(id, (await requireAccount(signal)).address)
    if (batch) return batch
    throw new BatchRefusal(batchRefusals.unknownId, 'There is no batch of this id')
  }
  function getRpc(chainId: number): Rpc {
    const urls = settings().app.rpcUrls[String(chainId)]
    if (urls) return createRpc(urls, { clock, fetch })
    throw new BatchRefusal(batchRefusals.unsupportedChain, `Unsupported chain: ${chainId}`)
  }

  async function getReceipt(rpc: Rpc, hash: string, signal?: AbortSignal): Promise<BatchReceipt | null> {
    return v.parse(v.nullable(batchReceiptSchema), await rpc.ask('eth_getTransactionReceipt', [hash], signal))
  }
  /** Returns the status of the batch, and its calls with their outcomes. */
  async function readState(batch: StoredBatch, signal: AbortSignal) {
    if (batch.operation !== undefined) return readOperation(batch, batch.operation, signal)
    const progress = await readKnown(batch, signal)
    return {
      status: getStatus(progress),
      outcomes: getOutcomes(progress),
      entries: batch.entries,
      receipts: batch.entries.flatMap(({ hash }) => progress.receipts.get(hash ?? '') ?? []),
    }
  }
  async function readOperation({ chainId, entries }: StoredBatch, id: string, signal: AbortSignal) {
    const { state, transactionHash } = await ports.api.call(sponsorRoutes.operationStatus, { id }, { signal })
    const isIncluded = state !== 'pending' && transactionHash !== null
    const receipt = isIncluded ? await getReceipt(getRpc(chainId), transactionHash, signal) : null
    return {
      status: operationStatuses[state],
      outcomes: entries.map(() => operationOutcomes[state]),
      entries: entries.map((entry) => ({ ...entry, hash: transactionHash })),
      receipts: receipt ? [receipt] : [],
    }
  }

  async function readKnown({ id, chainId, entries }: StoredBatch, signal: AbortSignal) {
    const rpc = getRpc(chainId)
    const isRunning = running.has(id)
    const hashes = entries.flatMap(({ hash }) => (hash === null ? [] : [hash]))
    const all = await Promise.all(hashes.map((hash) => getReceipt(rpc, hash, signal)))
    const receipts = new Map(
      all.flatMap((receipt, at) => (receipt ? [[hashes[at] ?? '', receipt] as const] : [])),
    )
    return { entries, receipts, isRunning }
  }

  const pause = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve))

  /** Returns false for a reverted transaction, and without a receipt in time. The next call may depend on it. */
  async function succeeds(rpc: Rpc, hash: string): Promise<boolean> {
    const { receiptPollMs, confirmationMs } = walletLimits
    for (let waitedMs = 0; waitedMs <= confirmationMs; waitedMs += receiptPollMs) {
      // A node that does not answer now may answer the next request.
      const receipt = await getReceipt(rpc, hash).catch(() => null)
      if (receipt) return receipt.status === '0x1'
      await pause(receiptPollMs)
    }
    return false
  }

  /** Sends the calls in order, until one fails, the user rejects it or logs out. */
  async function run({ id, chainId }: StoredBatch, transactions: readonly TransactionRequest[]) {
    running.add(id)
    try {
      const rpc = getRpc(chainId)
      const { signal } = new AbortController()
      for (const [position, transaction] of transactions.entries()) {
        const { receipt } = await callByName(
          'sendTransaction',
          { transaction, answerWhen: 'sent' },
          { signal },
        ).catch((error: unknown) => {
          const hash = getUndecidedHash(error)
          if (hash !== undefined) stored.sent(id, position, hash)
          throw error
        })
        stored.sent(id, position, receipt.transactionHash)
        const isLast = position === transactions.length - 1
        if (!isLast && !(await succeeds(rpc, receipt.transactionHash))) return
      }
    } finally {
      running.delete(id)
    }
  }

  function getFacts({ chainId, address, entries }: StoredBatch): BatchFacts {
    const chain = getChain(settings().app, chainId)
    return {
      appName: appName(settings()),
      origin: settings().hostOrigin,
      chain,
      from: address,
      calls: entries,
    }
  }

  /** Resolves when the user continues. The list stays open until the first transaction needs the card. */
  const review = (batch: StoredBatch, transactions: readonly TransactionRequest[]): Flow<void> =>
    createCall<void>(
      ports,
      { kind: 'approval', onClose: () => failed(rejectedError()) },
      ({ open, settle }) =>
        open(batchScreen, {
          facts: getFacts(batch),
          outcomes: undefined,
          onPress(close) {
            stored.add(batch)
            settle(done(undefined))
            run(batch, transactions)
              .catch(() => {})
              .finally(close)
          },
        }),
    )

  const showOutcomes = (batch: StoredBatch, outcomes: readonly Outcome[]): Flow<void> =>
    createCall<void>(ports, { kind: 'approval', onClose: () => done(undefined) }, ({ open }) =>
      open(batchScreen, { facts: getFacts(batch), outcomes, onPress: (close) => close() }),
    )

  type Together = { account: WalletAccount; batch: StoredBatch; transactions: TransactionRequest[] }

  /** Sends the calls as one operation. Returns false if the calls must be sent one by one. */
  async function sendTogether(
    { account, batch, transactions }: Together,
    isRequired: boolean,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { createAtomicBatch, requestOffer } = await ports.load(() => import('./atomic-batch.ts'))
    const { chainId } = batch
    const call = { account, chainId, transactions, rpc: getRpc(chainId) }
    const offer = await requestOffer(ports, call, signal)
    if (offer instanceof LatchkeyError) {
      if (!isRequired) return false
      if (offer.code !== 'not_supported') throw offer
      throw new BatchRefusal(batchRefusals.atomicityNotSupported, offer.message)
    }
    const { id } = await begin(createAtomicBatch(ports, offer, getFacts(batch)), signal).catch(
      (error: unknown) => {
        const isFirst = offer.operation.authorizationNonce !== null
        if (!isFirst || !isRejection(error)) throw error
        throw new BatchRefusal(
          batchRefusals.upgradeRejected,
          'The user declined to do several things at once',
        )
      },
    )
    stored.add({ ...batch, operation: id })
    return true
  }

  return {
    rows: batchCalls,
    handlers: {
      sendBatch: ({ request }, { signal, relayed }) =>
        orRefused(async () => {
          if (relayed)
            throw new BatchRefusal(
              4200,
              'An app that is connected by a link asks for one transaction at a time',
            )
          const account = await requireAccount(signal)
          const { address } = account
          const atomicChains = settings().app.sponsoredChains
          const { chainId, transactions } = readBatch(request, {
            address,
            chains: usableChains(settings()),
            atomicChains,
            isKnown: (id) => stored.find(id, address) !== undefined || reviewed.has(`${address} ${id}`),
          })
          const batch: StoredBatch = {
            id: request.id ?? randomId(),
            address,
            chainId,
            atMs: clock.nowMs(),
            entries: transactions.map(({ to = null, data = '0x', value = 0 }) => ({
              to,
              value: String(BigInt(value)),
              hasData: data !== '0x',
              hash: null,
            })),
          }
          const name = `${address} ${batch.id}`
          reviewed.add(name)
          try {
            const isSent =
              atomicChains.includes(chainId) &&
              (await sendTogether({ account, batch, transactions }, request.atomicRequired, signal))
            if (!isSent) await begin(review(batch, transactions), signal)
          } finally {
            reviewed.delete(name)
          }
          return { id: batch.id }
        }),
      batchStatus: ({ id }, { signal }) =>
        orRefused(async () => {
          const batch = await find(id, signal)
          const { status, receipts } = await readState(batch, signal)
          return {
            version: batchVersion,
            id,
            chainId: toQuantity(BigInt(batch.chainId)),
            status,
            atomic: batch.operation !== undefined,
            ...(receipts.length > 0 && { receipts }),
          }
        }),
      showBatch: ({ id }, { signal }) =>
        orRefused(async () => {
          const batch = await find(id, signal)
          const { outcomes, entries } = await readState(batch, signal)
          await begin(showOutcomes({ ...batch, entries }, outcomes), signal)
          return null
        }),
    },
  }
}

async function orRefused<T>(run: () => Promise<T>) {
  try {
    return { result: await run() }
  } catch (error) {
    if (error instanceof BatchRefusal) return { refused: { code: error.code, message: error.message } }
    throw error
  }
}

/** Returns the hash of a transaction that may be included despite the error. */
function getUndecidedHash(error: unknown): string | undefined {
  const { code, transactionHash } = Object(Object(error).details)
  return undecidedProblems.includes(code) && typeof transactionHash === 'string' ? transactionHash : undefined
}

const randomId = () =>
  `0x${Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('')}`

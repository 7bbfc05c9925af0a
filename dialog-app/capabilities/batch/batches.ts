/**
 * The host calls `sendBatch`, `batchStatus` and `showBatch`. A batch has no approval of its own: a card lists its calls,
 * and each call is then sent and approved like any other transaction.
 */
import { findEmbeddedWallet, LatchkeyError, type TransactionRequest, walletLimits } from '@latchkey/protocol'
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
import { rejectedError } from '../../approval/rejection.ts'
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
import { getOutcomes, getStatus, type Outcome } from './batch-status.ts'
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

  async function requireAddress(signal: AbortSignal): Promise<string> {
    const account = findEmbeddedWallet(await requireUser(ports, { signal }))
    if (account) return account.address
    throw new LatchkeyError('embedded_wallet_not_found', 'The user has no wallet to send with')
  }
  async function find(id: string, signal: AbortSignal): Promise<StoredBatch> {
    const batch = stored.find(id, await requireAddress(signal))
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
          const address = await requireAddress(signal)
          const { chainId, transactions } = readBatch(request, {
            address,
            chains: usableChains(settings()),
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
          await begin(review(batch, transactions), signal).finally(() => reviewed.delete(name))
          return { id: batch.id }
        }),
      batchStatus: ({ id }, { signal }) =>
        orRefused(async () => {
          const batch = await find(id, signal)
          const batchState = await readKnown(batch, signal)
          const receipts = batch.entries.flatMap(({ hash }) => batchState.receipts.get(hash ?? '') ?? [])
          return {
            version: batchVersion,
            id,
            chainId: toQuantity(BigInt(batch.chainId)),
            status: getStatus(batchState),
            atomic: false,
            ...(receipts.length > 0 && { receipts }),
          }
        }),
      showBatch: ({ id }, { signal }) =>
        orRefused(async () => {
          const batch = await find(id, signal)
          const outcomes = getOutcomes(await readKnown(batch, signal))
          await begin(showOutcomes(batch, outcomes), signal)
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

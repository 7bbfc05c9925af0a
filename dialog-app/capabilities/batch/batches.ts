/**
 * The host's calls `sendBatch`, `batchStatus` and `showBatch`. A batch gets no approval of its own: its card lists what
 * is to come, and then each call is a transaction like any other, which the server places and its user approves.
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
import type { KeyValueStore } from '../../browser/ports.ts'
import { createRpc, type Fetch, type Rpc, toQuantity } from '../../chains/rpc.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { undecidedProblems } from '../../contract/sending.ts'
import { createUserFlows } from '../../contract/user-flows.ts'
import { usableChains } from '../../host/chains.ts'
import type { ServedHostCalls } from '../../host/host-calls.ts'
import { requireUser } from '../../host/require-user.ts'
import { appName } from '../../host/settings.ts'
import { reviewBatch, showOutcomes } from './batch-flow.ts'
import type { ShownBatch } from './batch-screen.tsx'
import { outcomesOf, statusOf } from './batch-status.ts'
import { BatchRefusal, readBatch } from './read-batch.ts'
import { createStoredBatches, type StoredBatch } from './stored-batches.ts'

export function createBatches(
  ports: CapabilityPorts,
  tab: KeyValueStore,
  fetch: Fetch = (...call) => globalThis.fetch(...call),
): ServedHostCalls<keyof typeof batchCalls> {
  const { settings, callByName, clock } = ports
  const begin = createUserFlows(ports)
  const stored = createStoredBatches(tab, clock, settings())
  /** The batches that this page sends now, by their ids. */
  const running = new Set<string>()
  /** Batches that wait for their user, by wallet and id: their ids are in use before anything is stored. */
  const reviewed = new Set<string>()

  async function walletOf(signal: AbortSignal): Promise<string> {
    const account = findEmbeddedWallet(await requireUser(ports, { signal }))
    if (account) return account.address
    throw new LatchkeyError('embedded_wallet_not_found', 'The user has no wallet to send with')
  }
  async function find(id: string, signal: AbortSignal): Promise<StoredBatch> {
    const found = stored.find(id, await walletOf(signal))
    if (found) return found
    throw new BatchRefusal(batchRefusals.unknownId, 'There is no batch of this id')
  }
  function rpcOf(chainId: number): Rpc {
    const urls = settings().app.rpcUrls[String(chainId)]
    if (urls) return createRpc(urls, { clock, fetch })
    throw new BatchRefusal(batchRefusals.unsupportedChain, `Unsupported chain: ${chainId}`)
  }

  async function receiptOf(rpc: Rpc, hash: string, signal?: AbortSignal): Promise<BatchReceipt | null> {
    return v.parse(v.nullable(batchReceiptSchema), await rpc.ask('eth_getTransactionReceipt', [hash], signal))
  }
  async function knownOf({ id, chainId, entries }: StoredBatch, signal: AbortSignal) {
    const rpc = rpcOf(chainId)
    const isRunning = running.has(id)
    const hashes = entries.flatMap(({ hash }) => (hash === null ? [] : [hash]))
    const found = await Promise.all(hashes.map((hash) => receiptOf(rpc, hash, signal)))
    const receipts = new Map(found.flatMap((each, at) => (each ? [[hashes[at] ?? '', each] as const] : [])))
    return { entries, receipts, isRunning }
  }

  const pause = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve))

  /** False where it was reverted, or where nobody knows in time: what depends on it is not sent then. */
  async function succeeds(rpc: Rpc, hash: string): Promise<boolean> {
    const { receiptPollMs, confirmationMs } = walletLimits
    for (let waitedMs = 0; waitedMs <= confirmationMs; waitedMs += receiptPollMs) {
      // A node that does not answer now may answer at the next look.
      const receipt = await receiptOf(rpc, hash).catch(() => null)
      if (receipt) return receipt.status === '0x1'
      await pause(receiptPollMs)
    }
    return false
  }

  /** Ends with the first that fails, that its user does not want, or for which nobody is logged in any more. */
  async function run({ id, chainId }: StoredBatch, transactions: readonly TransactionRequest[]) {
    running.add(id)
    try {
      const rpc = rpcOf(chainId)
      const { signal } = new AbortController()
      for (const [position, transaction] of transactions.entries()) {
        const { receipt } = await callByName(
          'sendTransaction',
          { transaction, answerWhen: 'sent' },
          { signal },
        ).catch((error: unknown) => {
          const hash = undecidedHash(error)
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

  function shownOf({ chainId, address, entries }: StoredBatch): ShownBatch {
    const chain = getChain(settings().app, chainId)
    return {
      appName: appName(settings()),
      origin: settings().hostOrigin,
      chain,
      from: address,
      calls: entries,
    }
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
          const address = await walletOf(signal)
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
          const close = await begin(reviewBatch(shownOf(batch)), signal).finally(() => reviewed.delete(name))
          stored.add(batch)
          run(batch, transactions)
            .catch(() => {})
            .finally(close)
          return { id: batch.id }
        }),
      batchStatus: ({ id }, { signal }) =>
        orRefused(async () => {
          const batch = await find(id, signal)
          const known = await knownOf(batch, signal)
          const receipts = batch.entries.flatMap(({ hash }) => known.receipts.get(hash ?? '') ?? [])
          return {
            version: batchVersion,
            id,
            chainId: toQuantity(BigInt(batch.chainId)),
            status: statusOf(known),
            atomic: false,
            ...(receipts.length > 0 && { receipts }),
          }
        }),
      showBatch: ({ id }, { signal }) =>
        orRefused(async () => {
          const batch = await find(id, signal)
          const outcomes = outcomesOf(await knownOf(batch, signal))
          await begin(showOutcomes(shownOf(batch), outcomes), signal)
          return null
        }),
    },
  }
}

async function orRefused<T>(answer: () => Promise<T>) {
  try {
    return { result: await answer() }
  } catch (error) {
    if (error instanceof BatchRefusal) return { refused: { code: error.code, message: error.message } }
    throw error
  }
}

/** It is not told as one that was not sent. */
function undecidedHash(error: unknown): string | undefined {
  const { code, transactionHash } = Object(Object(error).details)
  return undecidedProblems.includes(code) && typeof transactionHash === 'string' ? transactionHash : undefined
}

const randomId = () =>
  `0x${Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('')}`

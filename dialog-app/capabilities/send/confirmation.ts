/**
 * Submits a signed transaction and waits for its outcome: confirmed, reverted, replaced by another transaction with the
 * same nonce, or dropped by all nodes.
 */
import { walletLimits } from '@latchkey/protocol'
import * as v from 'valibot'
import { quantity, type Rpc, RpcRefused } from '../../chains/rpc.ts'
import { english } from './texts.arb'

/** Failures. Their names are those of ethers, if it has one. */
export type SendProblem = Exclude<
  keyof typeof english.problems,
  'UNPREPARED' | 'UNRECOVERED' | 'UNSIGNED' | 'UNCONFIRMED'
>

/** The screen shows the hash for these failures only. */
export const problemsWithHash: ReadonlySet<SendProblem> = new Set([
  'CALL_EXCEPTION',
  'NONCE_EXPIRED',
  'REPLACEMENT_UNDERPRICED',
  'TRANSACTION_REPLACED',
])

export class SendFailure extends Error {
  override readonly name = 'SendFailure'
  readonly problem: SendProblem
  readonly hash: string | undefined

  constructor(problem: SendProblem, hash: string | undefined, cause?: unknown) {
    super(english.problems[problem], { cause })
    this.problem = problem
    this.hash = hash
  }
}

/** Nodes report these failures in messages of their own, without codes. */
const rejections: readonly (readonly [RegExp, SendProblem | 'known'])[] = [
  [/already known|known transaction|already imported/i, 'known'],
  [/nonce too low|nonce is too low|invalid nonce/i, 'NONCE_EXPIRED'],
  [/underpriced/i, 'REPLACEMENT_UNDERPRICED'],
  [/insufficient funds/i, 'INSUFFICIENT_FUNDS'],
]

/**
 * Resolves when a node accepted the transaction, or had it already. The signal does not abort the submission, because a
 * caller that leaves meanwhile gets the hash.
 */
export async function broadcast(rpc: Rpc, signed: string, hash: string, signal: AbortSignal): Promise<void> {
  try {
    await rpc.ask('eth_sendRawTransaction', [signed])
  } catch (error) {
    if (!(error instanceof RpcRefused)) throw new SendFailure('NETWORK_ERROR', hash, error)
    const [, problem = 'UNKNOWN_ERROR'] = rejections.find(([pattern]) => pattern.test(error.message)) ?? []
    if (problem === 'known') return
    // This transaction itself may have used the nonce, if an earlier response was lost.
    if (problem === 'NONCE_EXPIRED' && (await getReceipt(rpc, hash, signal).catch(() => null))) return
    throw new SendFailure(problem, hash, error)
  }
}

const receiptSchema = v.nullable(
  v.object({ status: quantity, gasUsed: quantity, effectiveGasPrice: v.optional(quantity) }),
)
export type ChainReceipt = NonNullable<v.InferOutput<typeof receiptSchema>>

const getReceipt = async (rpc: Rpc, hash: string, signal: AbortSignal) =>
  v.parse(receiptSchema, await rpc.ask('eth_getTransactionReceipt', [hash], signal))

/** Returns the state of the transaction at the node. */
export async function getOutcome(
  rpc: Rpc,
  hash: string,
  signal: AbortSignal,
): Promise<'included' | 'pending' | 'unknown'> {
  if (await getReceipt(rpc, hash, signal)) return 'included'
  return (await rpc.ask('eth_getTransactionByHash', [hash], signal)) === null ? 'unknown' : 'pending'
}

type Submitted = { hash: string; from: string; nonce: number }
type Waiting = {
  rpc: Rpc
  signal: AbortSignal
  pause: (ms: number) => Promise<void>
}

/** Polls for the receipt of a submitted transaction, up to a deadline. */
export async function waitForReceipt(
  { hash, from, nonce }: Submitted,
  { rpc, signal, pause }: Waiting,
): Promise<ChainReceipt> {
  const { receiptPollMs, confirmationMs, looksUntilDropped } = walletLimits
  let missed = 0
  let overtaken = 0
  for (let waitedMs = 0; waitedMs <= confirmationMs; waitedMs += receiptPollMs) {
    const receipt = await poll()
    if (receipt) return receipt
    await pause(receiptPollMs)
  }
  throw new SendFailure('TIMEOUT', hash)

  /** Returns undefined while the transaction is pending. */
  async function poll(): Promise<ChainReceipt | undefined> {
    try {
      // Read before the receipt: a nonce used by then has a receipt now, or belongs to another transaction.
      const used = v.parse(quantity, await rpc.ask('eth_getTransactionCount', [from, 'latest'], signal))
      const receipt = await getReceipt(rpc, hash, signal)
      if (receipt) return requireSuccess(receipt)
      // Nodes behind one URL differ: one may count the transaction before another has its receipt.
      overtaken = used > BigInt(nonce) ? overtaken + 1 : 0
      if (overtaken >= looksUntilDropped) throw new SendFailure('TRANSACTION_REPLACED', hash)
      if (overtaken > 0) return undefined
      missed = (await rpc.ask('eth_getTransactionByHash', [hash], signal)) === null ? missed + 1 : 0
    } catch (error) {
      // A node that does not answer now may answer the next request.
      if (error instanceof SendFailure || signal.aborted) throw error
      return undefined
    }
    if (missed >= looksUntilDropped) throw new SendFailure('TRANSACTION_DROPPED', hash)
    return undefined
  }

  function requireSuccess(receipt: ChainReceipt): ChainReceipt {
    if (receipt.status === 1n) return receipt
    throw new SendFailure('CALL_EXCEPTION', hash)
  }
}

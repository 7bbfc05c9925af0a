/**
 * Sends a signed transaction and waits for what becomes of it: confirmed, reverted, replaced by another one of the same
 * number, or forgotten by every node.
 */
import { walletLimits } from '@latchkey/protocol'
import * as v from 'valibot'
import { quantity, type Rpc, RpcRefused } from '../../chains/rpc.ts'
import { english } from './texts.arb'

/** What went wrong, by the names that developers know from ethers, and where it has none, by ours. */
export type SendProblem = Exclude<
  keyof typeof english.problems,
  'UNPREPARED' | 'UNRECOVERED' | 'UNSIGNED' | 'UNCONFIRMED'
>

/** The user is shown the hash of these alone. */
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

/** Nodes have no codes for these, and every kind has words of its own. */
const refusals: readonly (readonly [RegExp, SendProblem | 'known'])[] = [
  [/already known|known transaction|already imported/i, 'known'],
  [/nonce too low|nonce is too low|invalid nonce/i, 'NONCE_EXPIRED'],
  [/underpriced/i, 'REPLACEMENT_UNDERPRICED'],
  [/insufficient funds/i, 'INSUFFICIENT_FUNDS'],
]

/**
 * Resolves when a node has taken it, or had it already. Its caller may go meanwhile, who is told that it is sent: so
 * what is given to the nodes is not taken back, and the signal ends only what is asked of them.
 */
export async function broadcast(rpc: Rpc, signed: string, hash: string, signal: AbortSignal): Promise<void> {
  try {
    await rpc.ask('eth_sendRawTransaction', [signed])
  } catch (error) {
    if (!(error instanceof RpcRefused)) throw new SendFailure('NETWORK_ERROR', hash, error)
    const [, problem = 'UNKNOWN_ERROR'] = refusals.find(([words]) => words.test(error.message)) ?? []
    if (problem === 'known') return
    // Of the same number: it may be this one that was carried out, after an answer that was lost.
    if (problem === 'NONCE_EXPIRED' && (await receiptOf(rpc, hash, signal).catch(() => null))) return
    throw new SendFailure(problem, hash, error)
  }
}

const receiptSchema = v.nullable(
  v.object({ status: quantity, gasUsed: quantity, effectiveGasPrice: v.optional(quantity) }),
)
export type ChainReceipt = NonNullable<v.InferOutput<typeof receiptSchema>>

const receiptOf = async (rpc: Rpc, hash: string, signal: AbortSignal) =>
  v.parse(receiptSchema, await rpc.ask('eth_getTransactionReceipt', [hash], signal))

/** Whether it was carried out, or waits for it, as far as the node that is asked knows. */
export async function becameOf(rpc: Rpc, hash: string, signal: AbortSignal) {
  if (await receiptOf(rpc, hash, signal)) return 'carried-out'
  return (await rpc.ask('eth_getTransactionByHash', [hash], signal)) === null ? 'unknown' : 'waiting'
}

export type Sent = { hash: string; from: string; nonce: number }
export type Waiting = {
  rpc: Rpc
  signal: AbortSignal
  pause: (ms: number) => Promise<void>
}

export async function confirmed(
  { hash, from, nonce }: Sent,
  { rpc, signal, pause }: Waiting,
): Promise<ChainReceipt> {
  const { receiptPollMs, confirmationMs, looksUntilDropped } = walletLimits
  let missed = 0
  let overtaken = 0
  for (let waitedMs = 0; waitedMs <= confirmationMs; waitedMs += receiptPollMs) {
    const seen = await look()
    if (seen) return seen
    await pause(receiptPollMs)
  }
  throw new SendFailure('TIMEOUT', hash)

  /** Undefined where it waits still, as far as anybody knows. */
  async function look(): Promise<ChainReceipt | undefined> {
    try {
      // Before the receipt is asked for: a number that is used up then has a receipt now, or another transaction.
      const used = v.parse(quantity, await rpc.ask('eth_getTransactionCount', [from, 'latest'], signal))
      const receipt = await receiptOf(rpc, hash, signal)
      if (receipt) return carriedOut(receipt)
      // Another node may have counted it, of which the one that is asked for the receipt has not heard yet.
      overtaken = used > BigInt(nonce) ? overtaken + 1 : 0
      if (overtaken >= looksUntilDropped) throw new SendFailure('TRANSACTION_REPLACED', hash)
      if (overtaken > 0) return undefined
      missed = (await rpc.ask('eth_getTransactionByHash', [hash], signal)) === null ? missed + 1 : 0
    } catch (error) {
      // A node that does not answer now may answer at the next look.
      if (error instanceof SendFailure || signal.aborted) throw error
      return undefined
    }
    if (missed >= looksUntilDropped) throw new SendFailure('TRANSACTION_DROPPED', hash)
    return undefined
  }

  function carriedOut(receipt: ChainReceipt): ChainReceipt {
    if (receipt.status === 1n) return receipt
    throw new SendFailure('CALL_EXCEPTION', hash)
  }
}

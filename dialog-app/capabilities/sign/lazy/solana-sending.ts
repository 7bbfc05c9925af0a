/**
 * Sends a signed Solana transaction to the nodes of the app, and waits until the cluster confirms it. Sending the same
 * bytes twice has no effect, so they are sent again while they may have been dropped.
 */
import { LatchkeyError, walletLimits } from '@latchkey/protocol'
import type { solanaCommitments } from '@latchkey/protocol/host'
import { analyzeSolanaTransaction } from '@latchkey/protocol/reading'
import { encodeMessage, type SolanaTransaction } from '@latchkey/protocol/wallet'
import { base58, base64 } from '@scure/base'
import * as v from 'valibot'
import type { Clock } from '../../../browser/ports.ts'
import { wait } from '../../../browser/waiting.ts'
import { createRpc, type Fetch, type Rpc, RpcRefused } from '../../../chains/rpc.ts'
import { parseHex } from './solana-transaction.ts'

type Commitment = (typeof solanaCommitments)[number]

export type SendOptions = {
  urls: string[]
  /** The state to wait for, `confirmed` by default. */
  commitment?: Commitment | undefined
  clock: Clock
  fetch: Fetch
  signal: AbortSignal
}

/** The codes in `details.code`, with the messages for developers. */
const problems = {
  NETWORK_ERROR: 'No node of the cluster answered',
  REJECTED: 'The node rejected the transaction',
  INSUFFICIENT_FUNDS: 'The balance does not cover the transaction and its fees',
  BLOCKHASH_EXPIRED: 'The blockhash of the transaction expired before the transaction was included',
  EXECUTION_FAILED: 'The transaction was included, and its execution failed',
  TIMEOUT: 'The transaction was not confirmed in time. It may be confirmed later',
} as const
type Problem = keyof typeof problems

/** `signature` identifies a transaction that a node may have. `reason` and `logs` are those of the node. */
type Details = { signature?: string; reason?: string; logs?: string[] }

const createError = (code: Problem, details: Details, cause?: unknown) =>
  new LatchkeyError(
    code === 'INSUFFICIENT_FUNDS' ? 'insufficient_funds' : 'transaction_failure',
    problems[code],
    { details: { code, ...details }, cause },
  )

/** Throws `invalid_data` if signatures of others are missing, because no node accepts the transaction. */
export function requireOtherSignatures(transaction: string): void {
  const missing = parseHex(transaction).signatures.filter((signature) =>
    signature.every((byte) => byte === 0),
  )
  if (missing.length <= 1) return
  throw new LatchkeyError('invalid_data', 'The transaction lacks the signatures of other signers')
}

/** Node is behind, or limits the rate. https://github.com/anza-xyz/agave: `rpc_custom_error` */
const busyCodes = [-32_005, -32_429, 429]

/** Sends the transaction, which is hex. Returns its signature in base58. */
export async function sendTransaction(
  transaction: string,
  { urls, commitment = 'confirmed', clock, fetch, signal }: SendOptions,
): Promise<string> {
  const parsed = parseHex(transaction)
  const signature = base58.encode(parsed.signatures[0] ?? new Uint8Array())
  const wire = base64.encode(encodeMessage(transaction) ?? new Uint8Array())
  const rpc = createRpc(urls, { clock, fetch, busyCodes })
  await submit(rpc, wire, signature)

  const endMs = clock.nowMs() + walletLimits.solanaConfirmationMs
  const isReached = createPoll({ rpc, parsed, wire, signature, commitment, signal })
  while (!(await isReached())) {
    if (clock.nowMs() >= endMs) throw createError('TIMEOUT', { signature })
    await wait(clock, walletLimits.receiptPollMs, signal)
  }
  return signature
}

/** Submits it to a node, which simulates it first. The signal does not abort this, because a node may have it already. */
async function submit(rpc: Rpc, wire: string, signature: string): Promise<void> {
  try {
    await rpc.ask('sendTransaction', [wire, { encoding: 'base64', preflightCommitment: 'processed' }])
  } catch (cause) {
    if (!(cause instanceof RpcRefused)) throw createError('NETWORK_ERROR', { signature }, cause)
    const { output, success } = v.safeParse(simulation, cause.data)
    if (!success) throw createError('REJECTED', { reason: cause.message }, cause)
    if (output.err === 'AlreadyProcessed') return
    throw toError(output.err, 'REJECTED', { logs: output.logs ?? [] })
  }
}

/** https://github.com/anza-xyz/solana-sdk: `TransactionError`, which is a name or an object of one name. */
const transactionError = v.union([v.string(), v.record(v.string(), v.unknown())])
const simulation = v.object({ err: transactionError, logs: v.nullish(v.array(v.string())) })
const statuses = v.object({
  value: v.tuple([
    v.nullable(v.object({ err: v.nullable(transactionError), confirmationStatus: v.nullish(v.string()) })),
  ]),
})
const validity = v.object({ value: v.boolean() })

function toError(err: v.InferOutput<typeof transactionError>, otherwise: Problem, details: Details) {
  const reason = typeof err === 'string' ? err : JSON.stringify(err)
  return createError(readProblem(reason, details.logs) ?? otherwise, { reason, ...details })
}

/** An error of a program has a number of its own, so its log tells that the balance of an account is too low. */
function readProblem(reason: string, logs: string[] = []): Problem | undefined {
  if (reason === 'BlockhashNotFound') return 'BLOCKHASH_EXPIRED'
  // The fee payer is the first account.
  const isPayerPoor =
    /^(AccountNotFound|InsufficientFundsForFee)$|"InsufficientFunds"|"InsufficientFundsForRent":\{"account_index":0\}/
  const isPoor = isPayerPoor.test(reason) || logs.some((line) => /insufficient (funds|lamports)/i.test(line))
  return isPoor ? 'INSUFFICIENT_FUNDS' : undefined
}

type Polled = {
  rpc: Rpc
  parsed: SolanaTransaction
  wire: string
  signature: string
  commitment: Commitment
  signal: AbortSignal
}

/** Returns a function that polls once. It resolves with true when the transaction has reached the commitment. */
function createPoll({ rpc, parsed, wire, signature, commitment, signal }: Polled): () => Promise<boolean> {
  const order: string[] = ['processed', 'confirmed', 'finalized'] satisfies Commitment[]
  const reached = order.slice(order.indexOf(commitment))
  const [first] = analyzeSolanaTransaction(parsed, '').actions
  const expires = first?.kind !== 'durable-nonce'
  /** Polls in a row after the end of the blockhash. Nodes behind one URL differ. */
  let expiredPolls = 0

  async function poll(): Promise<boolean> {
    // Read before the status: a transaction that was included before the end has a status now.
    const isAlive = !expires || (await isBlockhashValid())
    const answer = await rpc.ask('getSignatureStatuses', [[signature]], signal)
    const [status] = v.parse(statuses, answer).value
    if (status?.err) throw toError(status.err, 'EXECUTION_FAILED', { signature })
    if (status) return reached.includes(status.confirmationStatus ?? 'finalized')
    expiredPolls = isAlive ? 0 : expiredPolls + 1
    if (expiredPolls >= walletLimits.looksUntilDropped) throw createError('BLOCKHASH_EXPIRED', { signature })
    if (isAlive) {
      await rpc.ask('sendTransaction', [wire, { encoding: 'base64', skipPreflight: true }], signal)
    }
    return false
  }

  async function isBlockhashValid(): Promise<boolean> {
    const params = [parsed.lifetime, { commitment: 'processed' }]
    return v.parse(validity, await rpc.ask('isBlockhashValid', params, signal)).value
  }

  return async () => {
    try {
      return await poll()
    } catch (error) {
      const isFinal = error instanceof LatchkeyError && error.code !== 'server_unreachable'
      if (isFinal || signal.aborted) throw error
      // A node that does not answer now may answer the next poll.
      return false
    }
  }
}

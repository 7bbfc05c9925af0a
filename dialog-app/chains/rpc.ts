/**
 * Calls an RPC node. Tries the operator's URLs in order, and the next after a timeout, a broken response or a rate
 * limit. An error about the call itself is final.
 */
import { LatchkeyError, walletLimits } from '@latchkey/protocol'
import * as v from 'valibot'
import type { Clock } from '../browser/ports.ts'
import { toAbortError } from '../browser/waiting.ts'

export type Rpc = {
  /** Rejects with `RpcRefused` for an error of the node, and with `server_unreachable` if no node answered. */
  ask: (method: string, params: readonly unknown[], signal?: AbortSignal) => Promise<unknown>
}

/** An error that the node returned for a call. */
export class RpcRefused extends Error {
  override readonly name = 'RpcRefused'
  readonly code: number
  readonly data: unknown

  constructor({ code, message, data }: RpcError) {
    super(message)
    this.code = code
    this.data = data
  }
}

const rpcError = v.object({ code: v.number(), message: v.string(), data: v.optional(v.unknown()) })
type RpcError = v.InferOutput<typeof rpcError>
const answerSchema = v.union([v.object({ error: rpcError }), v.object({ result: v.unknown() })])

/** https://eips.ethereum.org/EIPS/eip-1474: resource unavailable, and limit exceeded. */
const ethereumBusyCodes = [-32_002, -32_005]

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

type RpcOptions = {
  clock: Clock
  fetch: Fetch
  /** Errors of a node that cannot answer now, so that the next one is asked. */
  busyCodes?: number[]
}

export function createRpc(
  urls: readonly string[],
  { clock, fetch, busyCodes = ethereumBusyCodes }: RpcOptions,
): Rpc {
  async function askAt(url: string, body: string, signal: AbortSignal | undefined): Promise<unknown> {
    const own = new AbortController()
    const giveUp = () =>
      own.abort(new LatchkeyError('client_request_timeout', 'The chain did not answer in time'))
    const stop = clock.after(walletLimits.rpcTimeoutMs, giveUp)
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        credentials: 'omit',
        redirect: 'error',
        referrerPolicy: 'no-referrer',
        signal: signal ? AbortSignal.any([own.signal, signal]) : own.signal,
      })
      const answer = v.safeParse(answerSchema, await response.json().catch(() => undefined))
      if (!answer.success) throw new LatchkeyError('server_unreachable', 'The chain gave no answer')
      if ('error' in answer.output) throw new RpcRefused(answer.output.error)
      return answer.output.result
    } finally {
      stop()
    }
  }

  return {
    async ask(method, params, signal) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      let problem: unknown
      for (const url of urls) {
        try {
          return await askAt(url, body, signal)
        } catch (error) {
          if (signal?.aborted) throw toAbortError(signal)
          if (error instanceof RpcRefused && !busyCodes.includes(error.code)) throw error
          problem = error
        }
      }
      throw new LatchkeyError('server_unreachable', 'The chain could not be asked', { cause: problem })
    },
  }
}

/** A hex quantity of the JSON-RPC API. */
export const quantity = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-fA-F]{1,64}$/),
  v.transform((written) => BigInt(written)),
)

export const toQuantity = (value: bigint) => `0x${value.toString(16)}`

/** Chains by JSON-RPC. */
import { hex } from '@latchkey/protocol'
import * as v from 'valibot'
import type { Address, Hex } from 'viem'
import { answerLimits } from '../limits.ts'
import { askOutside } from '../outside.ts'
import type { Chains, ContractAnswer } from './chains.ts'
import type { ChainUrls } from './environment.ts'

const rpcError = v.object({ code: v.number(), message: v.string(), data: v.optional(v.unknown()) })
type RpcError = v.InferOutput<typeof rpcError>
const rpcAnswer = v.union([
  v.object({ error: rpcError }),
  v.object({ result: v.custom<Hex>((value) => v.is(hex, value)) }),
])

type RpcCall = { readonly method: string; readonly params?: unknown }

async function askRpc(url: string, { method, params }: RpcCall, signal: AbortSignal) {
  const response = await askOutside(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    maxBytes: answerLimits.maxChainBytes,
    signal,
  })
  const answer = v.safeParse(rpcAnswer, await response.json().catch(() => undefined))
  if (!answer.success) throw new Error(`status ${response.status}, not JSON-RPC`)
  return answer.output
}

/** The contract had its say: https://github.com/ethereum/execution-apis, and what nodes write beside it. */
const executionReverted = 3
const endedInContract = /revert|invalid opcode|out of gas|invalid jump|stack (under|over)flow/i
const isOfContract = ({ code, message }: RpcError) =>
  code === executionReverted || endedInContract.test(message)

/** For the log. What a node says of an error may quote what it was asked: a signature. */
const whyOf = ({ code }: RpcError) => `JSON-RPC error ${code}`

async function askContractAt(
  url: string,
  { address, data }: { readonly address: Address; readonly data: Hex },
  signal: AbortSignal,
): Promise<ContractAnswer> {
  try {
    const answer = await askRpc(
      url,
      { method: 'eth_call', params: [{ to: address, data }, 'latest'] },
      signal,
    )
    if ('error' in answer) return { type: 'failed', why: whyOf(answer.error) }
    return { type: 'said', data: answer.result }
  } catch (cause) {
    return { type: 'failed', why: String(cause) }
  }
}

export const createRpcChains = (urls: ChainUrls): Chains => ({
  has: (chainId) => urls.has(chainId),
  askAt: askContractAt,

  async ask({ chainId, address, data }, signal) {
    const url = urls.get(chainId)
    if (url === undefined) return { type: 'failed', why: `nobody is named for chain ${chainId}` }
    return askContractAt(url, { address, data }, signal)
  },

  async verifyMessage({ chainId, address, message, signature }, signal) {
    const url = urls.get(chainId)
    if (url === undefined) return { type: 'unknown chain' }
    // Loaded by the first wallet that is a contract: most servers never see one.
    const [{ createClient, custom }, { verifyMessage }] = await Promise.all([
      import('viem'),
      import('viem/actions'),
    ])
    let failure: string | undefined
    // The library says "wrong" of a chain that did not answer, so what it was answered is looked at here.
    const transport = custom(
      {
        async request(call: RpcCall) {
          const answer = await askRpc(url, call, signal).catch((cause: unknown) => {
            failure = String(cause)
            throw cause
          })
          if (!('error' in answer)) return answer.result
          if (!isOfContract(answer.error)) failure = whyOf(answer.error)
          throw answer.error
        },
      },
      { retryCount: 0 },
    )
    try {
      // A contract may answer that an address of its choice is to be asked (EIP-3668): nobody else is.
      const client = createClient({ transport, ccipRead: false })
      if (await verifyMessage(client, { address, message, signature })) {
        return { type: 'right' }
      }
    } catch {
      // A signature that claims a form which it has not; or the chain, which is known then.
    }
    return failure === undefined ? { type: 'wrong' } : { type: 'failed', why: failure }
  },
})

/** One call of a node, by JSON-RPC. */
import * as v from 'valibot'
import { answerLimits } from '../../kernel/limits.ts'
import { askOutside } from '../../kernel/outside.ts'

const rpcError = v.object({ code: v.number(), message: v.string(), data: v.optional(v.unknown()) })
export type RpcError = v.InferOutput<typeof rpcError>
const rpcAnswer = v.union([v.object({ error: rpcError }), v.object({ result: v.unknown() })])

export type RpcCall = { method: string; params?: unknown }
/** What the node refuses is an answer; that it can not be asked throws. */
export type NodeAnswer = { error: RpcError } | { result: unknown }

/** A node and the chain that it is asked about. */
export type ChainNode = { chainId: number | string; url: string }

export async function askNode(
  { chainId, url }: ChainNode,
  { method, params }: RpcCall,
  signal: AbortSignal,
): Promise<NodeAnswer> {
  const response = await askOutside(url, {
    party: `chain ${chainId}`,
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    maxBytes: answerLimits.maxChainBytes,
    signal,
  })
  const answer = v.safeParse(rpcAnswer, await response.json().catch(() => undefined))
  if (!answer.success) throw notRpc(response.status)
  return answer.output
}

export const notRpc = (status?: number) =>
  new Error(`${status === undefined ? '' : `status ${status}, `}not JSON-RPC`)

/** The contract had its say: https://github.com/ethereum/execution-apis, and what nodes write beside it. */
const executionReverted = 3
const endedInContract = /revert|invalid opcode|out of gas|invalid jump|stack (under|over)flow/i
export const isOfContract = ({ code, message }: RpcError): boolean =>
  code === executionReverted || endedInContract.test(message)

/** Calls one JSON-RPC method of an RPC node. */
import type { SolanaCluster } from '@latchkey/protocol'
import * as v from 'valibot'
import { answerLimits } from '../../kernel/limits.ts'
import { fetchThirdParty } from '../../kernel/third-party-fetch.ts'

const rpcError = v.object({ code: v.number(), message: v.string(), data: v.optional(v.unknown()) })
export type RpcError = v.InferOutput<typeof rpcError>
const rpcAnswer = v.union([v.object({ error: rpcError }), v.object({ result: v.unknown() })])

export type RpcCall = { method: string; params?: unknown }
/** A JSON-RPC error is an answer. Transport failures throw. */
export type NodeAnswer = { error: RpcError } | { result: unknown }

/** An RPC node and the chain for which it is called. */
export type ChainNode = {
  chainId: number | string
  url: string
  /** Returns the headers that authenticate a request with this body. */
  authenticate?: (body: string) => Readonly<Record<string, string>>
}

/** The name of a cluster in logs, metrics and stored operations. */
export const toChainId = (cluster: SolanaCluster): string => `solana:${cluster}`
export const toClusterNode = (cluster: SolanaCluster, url: string): ChainNode => ({
  chainId: toChainId(cluster),
  url,
})

export async function callNode(
  { chainId, url, authenticate }: ChainNode,
  { method, params }: RpcCall,
  signal: AbortSignal,
): Promise<NodeAnswer> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetchThirdParty(url, {
    party: `chain ${chainId}`,
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...authenticate?.(body) },
    body,
    maxBytes: answerLimits.maxChainBytes,
    signal,
  })
  const answer = v.safeParse(rpcAnswer, await response.json().catch(() => undefined))
  if (!answer.success) throw notRpc(response.status)
  return answer.output
}

export const notRpc = (status?: number) =>
  new Error(`${status === undefined ? '' : `status ${status}, `}not JSON-RPC`)

/**
 * Error code and messages of a reverted execution. Clients other than geth use messages of their own.
 * https://github.com/ethereum/execution-apis
 */
const executionReverted = 3
const revertMessage = /revert|invalid opcode|out of gas|invalid jump|stack (under|over)flow/i
export const isContractError = ({ code, message }: RpcError): boolean =>
  code === executionReverted || revertMessage.test(message)

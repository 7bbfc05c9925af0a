/** Calls of the operator's RPC node, with the errors of the API. */
import { createHmac } from 'node:crypto'
import { LatchkeyError, type SolanaCluster } from '@latchkey/protocol'
import * as v from 'valibot'
import type { Hex } from 'viem'
import type { ServerContext } from '../../kernel/context.ts'
import { type App, type Clock, nowSeconds } from '../../kernel/ports.ts'
import {
  type ChainNode,
  callNode,
  chains,
  isContractError,
  type RpcCall,
  type RpcError,
  toClusterNode,
} from '../chains/chains.ts'
import type { PaymasterServices } from './environment.ts'

const nodeDeadlineMs = 8_000

export type NodeCaller = <Schema extends v.GenericSchema>(
  schema: Schema,
  method: string,
  ...params: unknown[]
) => Promise<v.InferOutput<Schema>>

export const bytes = v.pipe(v.string(), v.regex(/^0x([0-9a-f]{2})*$/i)) as v.GenericSchema<string, Hex>
export const quantity = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-f]{1,64}$/i),
  v.transform((digits) => BigInt(digits)),
)

/** Returns a caller that throws `transaction_failure` for reverted calls, and `unavailable` for other errors. */
export const createNodeCaller =
  ({ ports }: Pick<ServerContext, 'ports'>, chainId: number): NodeCaller =>
  async (schema, method, ...params) => {
    const signal = AbortSignal.timeout(nodeDeadlineMs)
    const answer = await chains
      .get(ports)
      .call(chainId, { method, params }, signal)
      .catch((cause: unknown) => {
        throw chainUnavailable(cause)
      })
    if ('error' in answer) throw toError(answer.error)
    return parseResult(schema, method, answer.result)
  }

function parseResult<Schema extends v.GenericSchema>(schema: Schema, method: string, result: unknown) {
  const parsed = v.safeParse(schema, result)
  if (!parsed.success) throw chainUnavailable(new Error(`${method} returned another type`))
  return parsed.output
}

type Service = {
  node: ChainNode
  toServiceError: (error: RpcError) => LatchkeyError
}

/** Calls a service. No error quotes its address, which may contain an API key. */
async function callService<Schema extends v.GenericSchema>(
  { node, toServiceError }: Service,
  schema: Schema,
  call: RpcCall,
): Promise<v.InferOutput<Schema>> {
  const signal = AbortSignal.timeout(nodeDeadlineMs)
  const answer = await callNode(node, call, signal).catch(() => {
    throw chainUnavailable(new Error(`${node.chainId} did not answer ${call.method}`))
  })
  if ('error' in answer) throw toServiceError(answer.error)
  return parseResult(schema, call.method, answer.result)
}

const createServiceCaller =
  (node: ChainNode, toServiceError: Service['toServiceError']): NodeCaller =>
  (schema, method, ...params) =>
    callService({ node, toServiceError }, schema, { method, params })

/** Throws `not_supported` if the paymaster refuses to pay. */
export const toPaymasterCaller = ({ paymasterUrl }: PaymasterServices, chainId: number): NodeCaller =>
  createServiceCaller({ chainId: `paymaster ${chainId}`, url: paymasterUrl }, ({ code }) => {
    const cause = new Error(`JSON-RPC error ${code} of the paymaster`)
    return new LatchkeyError('not_supported', 'The paymaster does not pay for these calls', { cause })
  })

/** Throws `transaction_failure` if the bundler rejects the operation. */
export const toBundlerCaller = ({ bundlerUrl }: PaymasterServices, chainId: number): NodeCaller =>
  createServiceCaller({ chainId: `bundler ${chainId}`, url: bundlerUrl }, (error) => {
    const cause = new Error(`JSON-RPC error ${error.code} of the bundler`)
    if (!isRejection(error) && !isContractError(error)) return chainUnavailable(cause)
    return new LatchkeyError('transaction_failure', 'The network would reject these calls', { cause })
  })

/**
 * Calls a Kora service: https://github.com/solana-foundation/kora. Throws `not_supported` if it refuses to pay. The secret
 * signs the time and the body of each request.
 */
export function createKoraCaller({ url, secret }: { url: string; secret: string }, clock: Clock) {
  const service: Service = {
    node: {
      chainId: 'kora',
      url,
      authenticate(body) {
        const timestamp = String(nowSeconds(clock))
        const signature = createHmac('sha256', secret)
          .update(timestamp + body)
          .digest('hex')
        return { 'x-timestamp': timestamp, 'x-hmac-signature': signature }
      },
    },
    toServiceError({ code }) {
      const cause = new Error(`JSON-RPC error ${code} of Kora`)
      return new LatchkeyError('not_supported', 'The fees of this transaction are not paid', { cause })
    },
  }
  return <Schema extends v.GenericSchema>(schema: Schema, method: string, params: object) =>
    callService(service, schema, { method, params })
}

/** Asks the app's nodes of the cluster in their order until one answers. */
export function createClusterCaller({ config }: Pick<App, 'config'>, cluster: SolanaCluster): NodeCaller {
  const urls = config.solanaRpcUrls[cluster] ?? []
  return async (schema, method, ...params) => {
    const signal = AbortSignal.timeout(nodeDeadlineMs)
    for (const url of urls) {
      const answer = await callNode(toClusterNode(cluster, url), { method, params }, signal).catch(
        () => undefined,
      )
      if (answer && 'result' in answer) return parseResult(schema, method, answer.result)
    }
    throw chainUnavailable(new Error(`No node of ${cluster} answered ${method}`))
  }
}

/** https://eips.ethereum.org/EIPS/eip-7769: the operation fails in validation or execution, or has expired. */
const isRejection = ({ code }: RpcError) => (code >= -32_507 && code <= -32_500) || code === -32_521

function toError(error: RpcError): LatchkeyError {
  const cause = new Error(`JSON-RPC error ${error.code}: ${error.message}`)
  if (!isContractError(error)) return chainUnavailable(cause)
  return new LatchkeyError('transaction_failure', 'The network would reject these calls', { cause })
}

const chainUnavailable = (cause: unknown) =>
  new LatchkeyError('unavailable', 'The network cannot be reached', { cause })

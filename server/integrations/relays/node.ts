/** Calls of the operator's RPC node, with the errors of the API. */
import { LatchkeyError } from '@latchkey/protocol'
import * as v from 'valibot'
import type { Hex } from 'viem'
import type { ServerContext } from '../../kernel/context.ts'
import { callNode, chains, isContractError, type RpcError } from '../chains/chains.ts'
import type { PaymasterServices } from './relay.ts'

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

/** Calls a service. No error quotes its address, which may contain an API key. */
const createServiceCaller =
  (name: string, url: string, toServiceError: (error: RpcError) => LatchkeyError): NodeCaller =>
  async (schema, method, ...params) => {
    const signal = AbortSignal.timeout(nodeDeadlineMs)
    const answer = await callNode({ chainId: name, url }, { method, params }, signal).catch(() => {
      throw chainUnavailable(new Error(`${name} did not answer ${method}`))
    })
    if ('error' in answer) throw toServiceError(answer.error)
    return parseResult(schema, method, answer.result)
  }

/** Throws `not_supported` if the paymaster refuses to pay. */
export const toPaymasterCaller = ({ paymasterUrl }: PaymasterServices, chainId: number): NodeCaller =>
  createServiceCaller(`paymaster ${chainId}`, paymasterUrl, ({ code }) => {
    const cause = new Error(`JSON-RPC error ${code} of the paymaster`)
    return new LatchkeyError('not_supported', 'The paymaster does not pay for these calls', { cause })
  })

/** Throws `transaction_failure` if the bundler rejects the operation. */
export const toBundlerCaller = ({ bundlerUrl }: PaymasterServices, chainId: number): NodeCaller =>
  createServiceCaller(`bundler ${chainId}`, bundlerUrl, (error) => {
    const cause = new Error(`JSON-RPC error ${error.code} of the bundler`)
    if (!isRejection(error) && !isContractError(error)) return chainUnavailable(cause)
    return new LatchkeyError('transaction_failure', 'The network would reject these calls', { cause })
  })

/** https://eips.ethereum.org/EIPS/eip-7769: the operation fails in validation or execution, or has expired. */
const isRejection = ({ code }: RpcError) => (code >= -32_507 && code <= -32_500) || code === -32_521

function toError(error: RpcError): LatchkeyError {
  const cause = new Error(`JSON-RPC error ${error.code}: ${error.message}`)
  if (!isContractError(error)) return chainUnavailable(cause)
  return new LatchkeyError('transaction_failure', 'The network would reject these calls', { cause })
}

const chainUnavailable = (cause: unknown) =>
  new LatchkeyError('unavailable', 'The network cannot be reached', { cause })

/** Calls of the operator's RPC node, with the errors of the API. */
import { LatchkeyError } from '@latchkey/protocol'
import * as v from 'valibot'
import type { Hex } from 'viem'
import type { ServerContext } from '../../kernel/context.ts'
import { chains, isContractError, type RpcError } from '../chains/chains.ts'

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
    const parsed = v.safeParse(schema, answer.result)
    if (!parsed.success) throw chainUnavailable(new Error(`${method} returned another type`))
    return parsed.output
  }

function toError(error: RpcError): LatchkeyError {
  const cause = new Error(`JSON-RPC error ${error.code}: ${error.message}`)
  if (!isContractError(error)) return chainUnavailable(cause)
  return new LatchkeyError('transaction_failure', 'The network would reject these calls', { cause })
}

const chainUnavailable = (cause: unknown) =>
  new LatchkeyError('unavailable', 'The network cannot be reached', { cause })

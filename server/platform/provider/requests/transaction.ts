/**
 * Parses a requested transaction strictly and completes it with chain data. Fields that the app set are kept and shown
 * on the wallet page.
 */
import { evmAddress, hex, isSameAddress } from '@latchkey/protocol'
import * as v from 'valibot'
import type { Hex } from 'viem'
import { decodeErrorResult, getAddress, parseAbi, serializeTransaction } from 'viem/utils'
import type { App } from '../../../identity/apps/apps.ts'
import {
  type ChainNode,
  callNode,
  isContractError,
  type RpcError,
} from '../../../integrations/chains/chains.ts'
import { describable, refusal } from './refusals.ts'

const WORD_HEX = 2 + 64
const hexQuantity = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-fA-F]+$/),
  v.maxLength(WORD_HEX),
  v.transform((text) => BigInt(text)),
)
const quantity = v.union([
  v.pipe(
    v.number(),
    v.safeInteger(),
    v.minValue(0),
    v.transform((number) => BigInt(number)),
  ),
  hexQuantity,
])
const upTo = (most: bigint) => v.optional(v.pipe(quantity, v.maxValue(most)))
const bytes = v.custom<Hex>((value) => v.is(hex, value))
const MOST_SAFE = BigInt(Number.MAX_SAFE_INTEGER)
const MOST_UINT64 = 2n ** 64n - 1n

/** An EIP-1193 transaction with the field names of common libraries. Strict, because unknown fields would be lost. */
const askedSchema = v.strictObject({
  from: v.optional(evmAddress),
  to: v.optional(v.nullable(evmAddress)),
  data: v.optional(bytes),
  input: v.optional(bytes),
  value: v.optional(quantity),
  chainId: v.pipe(quantity, v.minValue(1n), v.maxValue(MOST_SAFE)),
  nonce: upTo(MOST_SAFE),
  gas: upTo(MOST_UINT64),
  gasLimit: upTo(MOST_UINT64),
  gasPrice: v.optional(quantity),
  maxFeePerGas: v.optional(quantity),
  maxPriorityFeePerGas: v.optional(quantity),
  type: v.optional(v.picklist(['0x0', '0x2', 'legacy', 'eip1559'])),
  accessList: v.optional(v.strictTuple([])),
})
type TransactionRequest = v.InferOutput<typeof askedSchema>

const invalid = (description: string) => refusal('invalid_request', description)

function readAsked(given: unknown, wallet: string): TransactionRequest {
  const read = v.safeParse(askedSchema, given)
  if (!read.success) {
    const [issue] = read.issues
    throw invalid(`The transaction cannot be parsed: ${describable(v.getDotPath(issue) ?? 'its form')}`)
  }
  const request = read.output
  if (request.from !== undefined && !isSameAddress(request.from, wallet)) {
    throw refusal('wallet_not_connected', 'The sender of the transaction is not the connected wallet')
  }
  const { to, data, input, gas, gasLimit, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = request
  if (data !== undefined && input !== undefined && data !== input) throw invalid('Data and input differ')
  if (gas !== undefined && gasLimit !== undefined && gas !== gasLimit) throw invalid('Two gas limits differ')
  if ((to ?? undefined) === undefined && (data ?? input ?? '0x') === '0x') {
    throw invalid('The transaction has neither a recipient nor data')
  }
  if (gasPrice !== undefined && (maxFeePerGas ?? maxPriorityFeePerGas) !== undefined) {
    throw invalid('The transaction has both gasPrice and maxFeePerGas')
  }
  if ((maxPriorityFeePerGas ?? 0n) > (maxFeePerGas ?? maxPriorityFeePerGas ?? 0n)) {
    throw invalid('maxPriorityFeePerGas exceeds maxFeePerGas')
  }
  return request
}

function checksummed(written: string): Hex {
  const digits = written.slice(2)
  const right = getAddress(`0x${digits.toLowerCase()}`)
  const saysNothing = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  if (saysNothing || right === written) return right
  throw invalid('The recipient address has a wrong checksum')
}

/** Returns the app's RPC URLs for this chain, or throws. */
export function addressesFor({ config }: Pick<App, 'config'>, chainId: string): readonly string[] {
  const urls = config.rpcUrls[chainId] ?? []
  if (urls.length === 0) throw refusal('unsupported_chain', `Unsupported chain: ${chainId}`)
  return urls
}

/** Returns the serialized unsigned transaction. */
export async function wholeTransaction(
  app: Pick<App, 'config'>,
  wallet: string,
  given: unknown,
  signal: AbortSignal,
): Promise<Hex> {
  const request = readAsked(given, wallet)
  const to = request.to === undefined || request.to === null ? undefined : checksummed(request.to)
  const call = {
    from: wallet,
    to,
    data: request.data ?? request.input ?? '0x',
    value: request.value ?? 0n,
  } as const
  for (const url of addressesFor(app, String(request.chainId))) {
    const state = await stateAt({ chainId: String(request.chainId), url }, call, signal).catch(
      () => undefined,
    )
    if (state !== undefined) return serialized(request, call, state)
  }
  throw refusal('temporarily_unavailable', 'The RPC node did not respond')
}

type Call = {
  from: string
  to: Hex | undefined
  data: Hex
  value: bigint
}
type ChainState = {
  nonce: bigint
  balance: bigint
  baseFee: bigint | undefined
  gasPrice: bigint
  tip: bigint | undefined
  /** The gas estimate, or the node's reason why the transaction would fail. */
  gas: bigint | RpcError
}

const block = v.object({ baseFeePerGas: v.optional(v.nullable(hexQuantity)) })

/** Reads the chain state in parallel. Throws if the node does not respond or fails for its own reasons. */
async function stateAt(
  node: ChainNode,
  { from, to, data, value }: Call,
  signal: AbortSignal,
): Promise<ChainState> {
  const answerTo = (method: string, ...params: readonly unknown[]) =>
    callNode(node, { method, params }, signal)
  async function ask<Schema extends v.GenericSchema>(schema: Schema, ...call: Parameters<typeof answerTo>) {
    const answer = await answerTo(...call)
    if ('error' in answer) throw new Error(`JSON-RPC error ${answer.error.code}`)
    return v.parse(schema, answer.result)
  }
  const tried = {
    from,
    ...(to !== undefined && { to }),
    ...(data !== '0x' && { data }),
    value: `0x${value.toString(16)}`,
  }
  const [nonce, balance, { baseFeePerGas }, gasPrice, tip, estimate] = await Promise.all([
    ask(hexQuantity, 'eth_getTransactionCount', from, 'pending'),
    ask(hexQuantity, 'eth_getBalance', from, 'latest'),
    ask(block, 'eth_getBlockByNumber', 'latest', false),
    ask(hexQuantity, 'eth_gasPrice'),
    answerTo('eth_maxPriorityFeePerGas'),
    answerTo('eth_estimateGas', tried),
  ])
  return {
    nonce,
    balance,
    baseFee: baseFeePerGas ?? undefined,
    gasPrice,
    // Chains without a fee market have no such method.
    tip: 'error' in tip ? undefined : v.parse(hexQuantity, tip.result),
    gas: 'error' in estimate ? ofTransaction(estimate.error) : v.parse(hexQuantity, estimate.result),
  }
}

/** Geth-like nodes use this code to report a problem with a transaction. */
const SERVER_ERROR = -32_000

/** Returns errors about the transaction and throws others, such as a rate limit of the node. */
function ofTransaction(error: RpcError): RpcError {
  if (isContractError(error) || error.code === SERVER_ERROR) return error
  throw new Error(`JSON-RPC error ${error.code}`)
}

/** The base fee may double before it is mined: https://eips.ethereum.org/EIPS/eip-1559 raises it by an eighth a block. */
const BASE_FEES_PAID = 2n
const PLAIN_TRANSFER_GAS = 21_000n
/** Adds 20 %, because the state may change between the estimate and the block. */
const withRoom = (gas: bigint) => (gas === PLAIN_TRANSFER_GAS ? gas : (gas * 6n) / 5n)

function serialized(asked: TransactionRequest, { to, data, value }: Call, state: ChainState): Hex {
  if (typeof state.gas !== 'bigint') throw invalid(getReason(state.gas))
  const gas = asked.gas ?? asked.gasLimit ?? withRoom(state.gas)
  const fees = feesFor(asked, state)
  if (value + gas * fees.most > state.balance) {
    throw invalid('The wallet has insufficient funds for this transaction')
  }
  const common = {
    chainId: Number(asked.chainId),
    nonce: Number(asked.nonce ?? state.nonce),
    to: to ?? null,
    data,
    value,
    gas,
  }
  if (fees.type === 'legacy') {
    return serializeTransaction({ ...common, type: 'legacy', gasPrice: fees.most })
  }
  return serializeTransaction({
    ...common,
    type: 'eip1559',
    maxFeePerGas: fees.most,
    maxPriorityFeePerGas: fees.tip,
  })
}

type Fees = { type: 'legacy'; most: bigint } | { type: 'market'; most: bigint; tip: bigint }

function feesFor(
  { gasPrice: asked, maxFeePerGas, maxPriorityFeePerGas }: TransactionRequest,
  { baseFee, gasPrice, tip }: ChainState,
): Fees {
  if (baseFee === undefined) return { type: 'legacy', most: asked ?? maxFeePerGas ?? gasPrice }
  if (asked !== undefined) return { type: 'market', most: asked, tip: asked }
  const usual = maxPriorityFeePerGas ?? tip ?? (gasPrice > baseFee ? gasPrice - baseFee : 0n)
  const most = maxFeePerGas ?? baseFee * BASE_FEES_PAID + usual
  return { type: 'market', most, tip: usual < most ? usual : most }
}

const errorAbi = parseAbi(['error Error(string)'])

/** Returns the node's message, with the contract's revert reason if there is one. */
function getReason({ message, data }: RpcError): string {
  const returned = v.is(bytes, data) ? data : undefined
  const revertReason = returned === undefined ? undefined : errorIn(returned)
  const more = revertReason === undefined || message.includes(revertReason) ? '' : `: ${revertReason}`
  return describable(`The transaction would fail: ${message}${more}`)
}

function errorIn(data: Hex): string | undefined {
  try {
    return decodeErrorResult({ abi: errorAbi, data }).args[0]
  } catch {
    return undefined
  }
}

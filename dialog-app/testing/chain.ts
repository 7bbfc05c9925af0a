/** A chain with scripted responses, over the dialog's fetch. */
import type { Fetch } from '../chains/rpc.ts'

export const chainUrl = 'https://rpc.example/v3/key'

export class Refused {
  readonly message: string
  readonly code: number
  readonly data: unknown
  /** Returned by the called contract, unless another code is set. */
  constructor(message: string, code = 3, data?: unknown) {
    this.message = message
    this.code = code
    this.data = data
  }
}

type Answer = (...params: readonly never[]) => unknown

const ether = 10n ** 18n
const toHex = (value: bigint | number) => `0x${value.toString(16)}`

export function makeFakeChain(change: Readonly<Record<string, Answer>> = {}) {
  const asked: { method: string; params: readonly unknown[] }[] = []
  const answers: Record<string, Answer> = {
    eth_getTransactionCount: () => toHex(7),
    eth_getBalance: () => toHex(ether),
    eth_getBlockByNumber: () => ({ baseFeePerGas: toHex(1_000_000_000) }),
    eth_gasPrice: () => toHex(2_000_000_000),
    eth_maxPriorityFeePerGas: () => toHex(1_000_000_000),
    eth_call: () => '0x',
    eth_getCode: () => '0x',
    eth_estimateGas: () => toHex(21_000),
    eth_sendRawTransaction: () => '0x',
    eth_getTransactionReceipt: () => ({
      status: '0x1',
      gasUsed: toHex(21_000),
      effectiveGasPrice: toHex(2_000_000_000),
    }),
    eth_getTransactionByHash: () => ({}),
    ...change,
  }
  const fetch: Fetch = async (_url, { body }) => {
    const { method, params } = JSON.parse(String(body))
    asked.push({ method, params })
    const answer = answers[method]
    if (!answer) throw new TypeError(`Nobody answers ${method}`)
    const result = await answer(...(params as never[]))
    if (result instanceof Refused) {
      const { code, message, data } = result
      return Response.json({ jsonrpc: '2.0', id: 1, error: { code, message, data } })
    }
    return Response.json({ jsonrpc: '2.0', id: 1, result })
  }
  return {
    fetch,
    asked,
    count: (method: string) => asked.filter((each) => each.method === method).length,
    /** Applies from now on. */
    answer: (method: string, answer: Answer) => {
      answers[method] = answer
    },
  }
}

/** The chains of the mock. They contain only transactions of the mock's wallets. */
import { LatchkeyError } from '@latchkey/loader'
import type { Hex } from './accounts.ts'
import type { ChainRequest, MockOptions } from './types.ts'

type Sent = { hash: Hex; from: Hex; to: string | null; chainId: number }

const quantity = (value: number) => `0x${value.toString(16)}`
const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`
const noLogs = `0x${'0'.repeat(512)}`

export function createChain(ids: readonly number[], answer: MockOptions['chain']) {
  const [first] = ids
  if (first === undefined) throw new TypeError('An app needs a chain: mockLatchkey({ chains: [1] })')
  let current = first
  const sent: Sent[] = []

  /** Returns a receipt. Every transaction is in its own block. */
  const getReceipt = ({ hash, from, to }: Sent, position: number) => ({
    transactionHash: hash,
    transactionIndex: '0x0',
    blockHash: word(position + 1),
    blockNumber: quantity(position + 1),
    from: from.toLowerCase(),
    to: to?.toLowerCase() ?? null,
    contractAddress: null,
    cumulativeGasUsed: quantity(21_000),
    gasUsed: quantity(21_000),
    effectiveGasPrice: quantity(1_000_000_000),
    logs: [],
    logsBloom: noLogs,
    status: '0x1' as const,
    type: '0x2',
  })
  const sentBy = (address: unknown) =>
    sent.filter(({ from }) => from.toLowerCase() === String(address).toLowerCase()).length

  const own: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
    eth_blockNumber: () => quantity(sent.length),
    eth_gasPrice: () => quantity(1_000_000_000),
    eth_maxPriorityFeePerGas: () => quantity(1_000_000_000),
    eth_estimateGas: () => quantity(21_000),
    eth_getBalance: () => '0x0',
    eth_getCode: () => '0x',
    eth_call: () => '0x',
    eth_getLogs: () => [],
    eth_syncing: () => false,
    eth_getTransactionCount: ([address]) => quantity(sentBy(address)),
    eth_getTransactionByHash: () => null,
    eth_getTransactionReceipt([hash]) {
      const position = sent.findIndex((each) => each.hash === hash)
      const found = sent[position]
      return found ? getReceipt(found, position) : null
    },
  }

  return {
    ids,
    current: () => current,
    move(chainId: number) {
      current = chainId
    },
    has: (chainId: number) => ids.includes(chainId),
    countTransactions: sentBy,
    add: (transaction: Sent) => void sent.push(transaction),
    getReceipt(hash: Hex) {
      const position = sent.findIndex((each) => each.hash === hash)
      const found = sent[position]
      if (!found) throw new LatchkeyError('transaction_failure', 'The mock has not sent this transaction')
      return getReceipt(found, position)
    },
    /** Returns undefined for a method without an answer. */
    read(request: ChainRequest): unknown {
      const given = answer?.(request)
      return given === undefined ? own[request.method]?.(request.params) : given
    },
  }
}
export type Chain = ReturnType<typeof createChain>

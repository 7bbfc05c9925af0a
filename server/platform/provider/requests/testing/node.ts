/** A node of a chain with scripted responses, which records the transactions that it receives. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as v from 'valibot'
import { keccak256 } from 'viem/utils'

const asked = v.object({ method: v.string(), params: v.optional(v.array(v.unknown()), []) })
export type Said = { result: unknown } | { error: object } | 'nothing'

const gwei = (count: number) => `0x${(BigInt(count) * 10n ** 9n).toString(16)}`
/** The responses of a chain with a fee market, on which the wallet has ten coins and has sent seven transactions. */
const usual: Readonly<Record<string, Said>> = {
  eth_getTransactionCount: { result: '0x7' },
  eth_getBalance: { result: `0x${(10n ** 19n).toString(16)}` },
  eth_getBlockByNumber: { result: { baseFeePerGas: gwei(1) } },
  eth_gasPrice: { result: gwei(3) },
  eth_maxPriorityFeePerGas: { result: gwei(2) },
  eth_estimateGas: { result: '0x5208' },
  eth_getTransactionByHash: { result: null },
}

export async function startNode() {
  let answers = usual
  const sent: string[] = []
  const calls: string[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { method, params } = v.parse(asked, JSON.parse(Buffer.concat(parts).toString()))
      calls.push(method)
      const [first] = params
      if (method === 'eth_sendRawTransaction') sent.push(String(first))
      const bySending = () => ({
        result: keccak256(
          v.parse(
            v.custom<`0x${string}`>(() => true),
            first,
          ),
        ),
      })
      const said = answers[method] ?? (method === 'eth_sendRawTransaction' ? bySending() : undefined)
      if (said === undefined || said === 'nothing') return void response.destroy()
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...said }))
    })
  })
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    sent,
    calls,
    /** Overrides the default responses. Without an argument, restores the defaults. */
    say(change: Readonly<Record<string, Said>> = {}) {
      answers = { ...usual, ...change }
    },
    close: () => new Promise((closed) => void server.close(closed)),
  }
}
export type TestNode = Awaited<ReturnType<typeof startNode>>

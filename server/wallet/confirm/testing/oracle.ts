/** A node of an OP stack chain that returns a data fee, or refuses. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as v from 'valibot'
import { decodeFunctionData, type Hex, parseAbi, toHex } from 'viem'

const abi = parseAbi(['function getL1Fee(bytes unsigned) view returns (uint256)'])
const asked = v.object({
  method: v.literal('eth_call'),
  params: v.tuple([v.object({ to: v.string(), data: v.custom<Hex>(() => true) }), v.literal('latest')]),
})

export async function startOracle() {
  let fee: bigint | undefined
  const questions: { to: string; unsigned: Hex }[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { params } = v.parse(asked, JSON.parse(Buffer.concat(parts).toString()))
      const [{ to, data }] = params
      questions.push({ to, unsigned: decodeFunctionData({ abi, data }).args[0] })
      const answer =
        fee === undefined
          ? { error: { code: -32_000, message: 'not here' } }
          : { result: toHex(fee, { size: 32 }) }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...answer }))
    })
  })
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    questions,
    /** If undefined, the node refuses. */
    charge: (next: bigint | undefined) => {
      fee = next
    },
    close: () => new Promise((closed) => void server.close(closed)),
  }
}

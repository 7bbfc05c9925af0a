/** An RPC node with contracts that a test sets, and with the answer to a simulation. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as v from 'valibot'

const question = v.object({ method: v.string(), params: v.array(v.unknown()) })

export async function startCodeNode() {
  const codes = new Map<string, string>()
  /** By address and slot. */
  const storage = new Map<string, string>()
  let simulation: unknown
  let isDown = false
  const simulated: unknown[] = []
  const lower = (value: unknown) => String(value).toLowerCase()
  const answer = ({ method, params }: v.InferOutput<typeof question>) => {
    const [first, second] = params
    switch (method) {
      case 'eth_getCode':
        return codes.get(lower(first)) ?? '0x'
      case 'eth_getStorageAt':
        return storage.get(`${lower(first)} ${lower(second)}`) ?? `0x${'0'.repeat(64)}`
      case 'eth_call':
        return storage.get(`${lower(Object(first).to)} ${lower(Object(first).data)}`)
      case 'eth_simulateV1':
        simulated.push(first)
        return simulation
      default:
        return undefined
    }
  }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const result = answer(v.parse(question, JSON.parse(Buffer.concat(parts).toString())))
      response.statusCode = isDown ? 503 : 200
      const body = result === undefined || isDown ? { error: { code: -32_601, message: 'no' } } : { result }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }))
    })
  })
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    codes,
    storage,
    simulated,
    simulate: (next: unknown) => {
      simulation = next
    },
    setDown: (next: boolean) => {
      isDown = next
    },
    close: () => new Promise((closed) => void server.close(closed)),
  }
}

/** A receiver of webhooks on this machine, with faults. */
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

type Received = { headers: IncomingHttpHeaders; body: string }
/** Writes the answer to one request. */
export type Reply = (answer: ServerResponse, received: Received) => void

export const replyWith =
  (status: number, headers: Record<string, string> = {}, body = ''): Reply =>
  (answer) => {
    answer.writeHead(status, headers).end(body)
  }

export async function startReceiver() {
  const received: Received[] = []
  let reply: Reply = replyWith(204)
  let server: Server | undefined
  let port = 0

  async function start(): Promise<void> {
    server = createServer(async (request, answer) => {
      const delivery = { headers: request.headers, body: await text(request) }
      received.push(delivery)
      reply(answer, delivery)
    })
    await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve))
    ;({ port } = server.address() as AddressInfo)
  }
  async function stop(): Promise<void> {
    server?.closeAllConnections()
    await new Promise((resolve) => server?.close(resolve))
  }
  await start()
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    start,
    stop,
    setReply(next: Reply) {
      reply = next
    },
  }
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>

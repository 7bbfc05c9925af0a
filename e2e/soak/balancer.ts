/**
 * A small balancer, as operators have one: each call goes to the next process that says that it is ready, over
 * connections that it keeps. It adds the address that it was called from, and hands `Host` through.
 *
 * A call that could not be given to anybody gets 502. One that was given away is never given to a second process: what
 * repeats it is whoever called.
 */
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'

const checkEveryMs = 250
/** The balancer keeps connections as long as nginx does; the servers keep theirs longer. */
const keepMs = 60_000

type Upstream = { port: number; isReady: boolean }

export type Balancer = {
  /** What came back as 502 because a connection ended under a call, beside those that nobody was there for. */
  cut: () => number
  /** How many calls failed at a server, by what it said: `503`, `503 without retry-after`, `500`. */
  failures: () => ReadonlyMap<string, number>
  close: () => Promise<void>
}

export async function startBalancer(port: number, ports: readonly number[]): Promise<Balancer> {
  const upstreams: readonly Upstream[] = ports.map((upstream) => ({ port: upstream, isReady: false }))
  const agent = new Agent({ keepAlive: true, maxSockets: 64, timeout: keepMs })
  let turn = 0
  let cut = 0
  const failures = new Map<string, number>()

  const look = (upstream: Upstream) =>
    fetch(`http://127.0.0.1:${upstream.port}/readyz`, { signal: AbortSignal.timeout(2_000) })
      .then((answer) => {
        upstream.isReady = answer.status === 200
        return answer.arrayBuffer()
      })
      .catch(() => {
        upstream.isReady = false
      })
  const timer = setInterval(() => upstreams.forEach(look), checkEveryMs)
  await Promise.all(upstreams.map(look))

  function next(): Upstream | undefined {
    const ready = upstreams.filter(({ isReady }) => isReady)
    turn += 1
    return ready[turn % ready.length]
  }

  function pass(incoming: IncomingMessage, answer: ServerResponse): void {
    const upstream = next()
    const fail = () => {
      if (!answer.headersSent) answer.writeHead(502).end()
      else answer.destroy()
    }
    if (!upstream) {
      fail()
      return
    }
    const { headers, method, url } = incoming
    const forwarded = [headers['x-forwarded-for'], incoming.socket.remoteAddress].filter(Boolean).join(', ')
    const call = request(
      {
        agent,
        host: '127.0.0.1',
        port: upstream.port,
        method,
        path: url,
        headers: { ...headers, 'x-forwarded-for': forwarded, connection: 'keep-alive' },
      },
      (received) => {
        const { statusCode = 502 } = received
        if (statusCode >= 500) {
          const told =
            received.headers['retry-after'] === undefined
              ? `${statusCode} without retry-after`
              : `${statusCode}`
          failures.set(told, (failures.get(told) ?? 0) + 1)
        }
        answer.writeHead(received.statusCode ?? 502, received.headers)
        received.pipe(answer)
        received.on('error', fail)
      },
    )
    call.on('error', (error: NodeJS.ErrnoException) => {
      upstream.isReady = false
      if (error.code !== 'ECONNREFUSED') cut += 1
      fail()
    })
    incoming.pipe(call)
  }

  // A caller that was idle for some seconds finds its connections open.
  const server = createServer({ keepAliveTimeout: keepMs }, pass)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    cut: () => cut,
    failures: () => failures,
    async close() {
      clearInterval(timer)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      agent.destroy()
    },
  }
}

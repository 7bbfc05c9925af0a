/**
 * A small load balancer, like operators use. It forwards each call to the next ready process over keep-alive
 * connections, adds the caller's address, and passes `Host` through.
 *
 * A call without a ready process gets 502. A forwarded call is never retried on a second process; that is the
 * caller's task.
 */
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'

const checkEveryMs = 250
/** Keep connections as long as nginx does. The servers keep theirs longer. */
const keepMs = 60_000

type Upstream = { port: number; isReady: boolean }

export type Balancer = {
  /**
   * Returns the number of 502 responses because a connection ended during a call. Does not count calls
   * without a ready process.
   */
  cut: () => number
  /** Returns failed calls by response: `503`, `503 without retry-after`, `500`. */
  failures: () => ReadonlyMap<string, number>
  close: () => Promise<void>
}

export async function startBalancer(port: number, ports: readonly number[]): Promise<Balancer> {
  const upstreams: readonly Upstream[] = ports.map((upstream) => ({ port: upstream, isReady: false }))
  const agent = new Agent({ keepAlive: true, maxSockets: 64, timeout: keepMs })
  let turn = 0
  let cut = 0
  const failures = new Map<string, number>()

  const checkUpstream = (upstream: Upstream) =>
    fetch(`http://127.0.0.1:${upstream.port}/readyz`, { signal: AbortSignal.timeout(2_000) })
      .then((answer) => {
        upstream.isReady = answer.status === 200
        return answer.arrayBuffer()
      })
      .catch(() => {
        upstream.isReady = false
      })
  const timer = setInterval(() => upstreams.forEach(checkUpstream), checkEveryMs)
  await Promise.all(upstreams.map(checkUpstream))

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
          const failure =
            received.headers['retry-after'] === undefined
              ? `${statusCode} without retry-after`
              : `${statusCode}`
          failures.set(failure, (failures.get(failure) ?? 0) + 1)
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

  // Callers that were idle for some seconds find their connections open.
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

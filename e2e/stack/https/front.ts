/**
 * The operator's reverse proxy: terminates TLS for every hostname of the stack, adds forwarding headers, and
 * forwards to the programs over HTTP.
 */
import { once } from 'node:events'
import { Agent, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { programs, readCertificate, trustInThisProcess } from './certificates.ts'

/** The origin of a request as reported by the browser: https://www.w3.org/TR/fetch-metadata/ */
export type ReceivedRequest = {
  method: string
  url: string
  site: string | undefined
  mode: string | undefined
  dest: string | undefined
}

export type Front = {
  received: readonly ReceivedRequest[]
  stop: () => Promise<void>
}

/** Records the browser requests from now on. Returns a function that lists those with a path prefix. */
export function watchRequests({ received }: Pick<Front, 'received'>) {
  const from = received.length
  return (path: string) => received.slice(from).filter(({ url }) => new URL(url).pathname.startsWith(path))
}

/** Hop-by-hop headers. */
const ofConnection = new Set(['connection', 'keep-alive'])
const keepAliveMs = 75_000

type Program = (typeof programs)[keyof typeof programs]
const programAt = new Map<string, Program>(Object.entries(programs))

export async function startFront(port: number, ports: Readonly<Record<Program, number>>): Promise<Front> {
  trustInThisProcess()
  // A keep-alive connection may close just as a call is sent over it.
  const agent = new Agent({ keepAlive: false })
  const received: ReceivedRequest[] = []

  function handle(request: IncomingMessage, response: ServerResponse) {
    const program = programAt.get((request.headers.host ?? '').replace(/:\d+$/, ''))
    if (program === undefined) return response.writeHead(421).end()
    received.push(describe(request))
    const sent = forward({
      agent,
      host: '127.0.0.1',
      port: ports[program],
      method: request.method,
      path: request.url,
      headers: forwardedHeaders(request),
    })
    sent.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, endToEnd(answer.rawHeaders))
      answer.pipe(response)
      answer.on('error', () => response.destroy())
    })
    sent.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()))
    response.on('close', () => sent.destroy())
    request.pipe(sent)
  }

  const server = createServer(readCertificate(), handle)
  server.keepAliveTimeout = keepAliveMs
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    received,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

const describe = ({ method = '', url = '', headers }: IncomingMessage): ReceivedRequest => {
  const metadata = (name: string) => headers[`sec-fetch-${name}`]?.toString()
  return {
    method,
    url: `https://${headers.host}${url}`,
    site: metadata('site'),
    mode: metadata('mode'),
    dest: metadata('dest'),
  }
}

function forwardedHeaders({ headers, socket }: IncomingMessage) {
  const { connection: _, 'x-forwarded-for': before, ...rest } = headers
  const visitor = socket.remoteAddress ?? ''
  return {
    ...rest,
    'x-forwarded-for': before === undefined ? visitor : `${before}, ${visitor}`,
    'x-forwarded-proto': 'https',
  }
}

/** Keeps the order and number of headers, because there may be several cookies. */
const endToEnd = (raw: readonly string[]) =>
  raw.filter((_, at) => !ofConnection.has(raw[at - (at % 2)]?.toLowerCase() ?? ''))

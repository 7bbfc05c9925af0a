import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

export type Call = {
  request: IncomingMessage
  response: ServerResponse
  url: URL
  /** The capture groups of the path. */
  parts: readonly string[]
}

export type Route = {
  method: 'GET' | 'POST' | 'DELETE' | 'OPTIONS'
  path: RegExp
  handle: (call: Call) => void | Promise<void>
}

/** A path that upgrades the connection to another protocol. */
export type Upgrade = {
  path: string
  handle: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
}

export type Http = { port: number; stop: () => Promise<void> }

const maxBodyBytes = 64 * 1024

const baseHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const

export const send = (
  response: ServerResponse,
  body: { status?: number; type: string; content: string | Uint8Array; headers?: Record<string, string> },
) => {
  response.writeHead(body.status ?? 200, { ...baseHeaders, 'content-type': body.type, ...body.headers })
  response.end(body.content)
}

export const sendJson = (response: ServerResponse, value: unknown, status = 200) =>
  send(response, { status, type: 'application/json; charset=utf-8', content: JSON.stringify(value) })

/** Returns undefined if the body has another type or is too large. */
const readBody = async (request: IncomingMessage, type: string): Promise<string | undefined> => {
  const [mediaType] = (request.headers['content-type'] ?? '').split(';')
  return mediaType?.trim().toLowerCase() === type ? readText(request) : undefined
}

/** Returns undefined if the body is too large. */
export const readText = async (request: IncomingMessage): Promise<string | undefined> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > maxBodyBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * Returns undefined if the body is too large or no JSON. An HTML form of another site cannot send this
 * content type.
 */
export const readJson = async (request: IncomingMessage): Promise<unknown> => {
  try {
    return JSON.parse((await readBody(request, 'application/json')) ?? '')
  } catch {
    return undefined
  }
}

/** Returns undefined if the body is too large or no form. */
export const readForm = async (request: IncomingMessage): Promise<URLSearchParams | undefined> => {
  const body = await readBody(request, 'application/x-www-form-urlencoded')
  return body === undefined ? undefined : new URLSearchParams(body)
}

/** Returns the origin that the client called, which may be behind a TLS proxy. */
export const getOrigin = ({ headers }: IncomingMessage) =>
  `${headers['x-forwarded-proto'] === 'https' ? 'https' : 'http'}://${headers.host}`

/** Rejects foreign host names: DNS rebinding must not let a page of another site read the mail. */
const isLocalName = (host: string | undefined) =>
  /^(localhost|[a-z0-9-]+\.localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(host ?? '')

export const startHttp = async (options: {
  host: string
  port: number
  routes: readonly Route[]
  upgrades?: readonly Upgrade[]
}): Promise<Http> => {
  const { host, port, routes, upgrades = [] } = options

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (!isLocalName(request.headers.host)) return sendJson(response, { error: 'Unknown host name' }, 421)
    const url = new URL(request.url ?? '/', 'http://sandbox.localhost')
    const matching = routes.filter((route) => route.path.test(url.pathname))
    const route = matching.find(({ method }) => method === request.method)
    if (route === undefined) {
      return matching.length === 0
        ? sendJson(response, { error: 'Not found' }, 404)
        : sendJson(response, { error: 'Method not allowed' }, 405)
    }
    const [, ...parts] = route.path.exec(url.pathname) ?? []
    await route.handle({ request, response, url, parts })
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      console.error(error)
      if (response.headersSent) response.destroy()
      else sendJson(response, { error: 'The sandbox failed' }, 500)
    })
  })
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    const { pathname } = new URL(request.url ?? '/', 'http://sandbox.localhost')
    const upgrade = upgrades.find(({ path }) => path === pathname.replace(/(?<=.)\/$/, ''))
    if (upgrade !== undefined && isLocalName(request.headers.host))
      return upgrade.handle(request, socket, head)
    socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n')
  })
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address() as AddressInfo

  return {
    port: address.port,
    stop: async () => {
      const closed = once(server, 'close')
      server.close()
      // Long polls and event streams would keep the server open for ever.
      server.closeAllConnections()
      await closed
    },
  }
}

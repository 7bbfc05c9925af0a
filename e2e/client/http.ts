import { Agent, request } from 'node:http'

export type ApiResponse = {
  status: number
  body: unknown
  /** The cookies that the response sets. */
  cookies: readonly string[]
}
type Headers = Readonly<Record<string, string>>

/**
 * Calls the API like a page in a browser, over keep-alive connections. Sets `Host` itself, because Node
 * cannot resolve `*.localhost`.
 */
export function openConnections(port: number, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const send = (method: 'GET' | 'POST', origin: string, path: string, headers: Headers, body = '') =>
    new Promise<ApiResponse>((resolve, reject) => {
      const call = request(
        {
          agent,
          host: '127.0.0.1',
          port,
          path,
          method,
          timeout: 20_000,
          headers: { host: new URL(origin).host, origin, ...headers },
        },
        (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('error', reject)
          answer.on('end', () => {
            const received = Buffer.concat(chunks).toString()
            resolve({
              status: answer.statusCode ?? 0,
              body: received ? JSON.parse(received) : undefined,
              cookies: answer.headers['set-cookie'] ?? [],
            })
          })
        },
      )
      call.on('timeout', () => call.destroy(new Error('No response within 20 s')))
      call.on('error', reject)
      call.end(body)
    })
  return {
    get: (origin: string, path: string, headers: Headers) => send('GET', origin, path, headers),
    post: (origin: string, path: string, body: string, headers: Headers) => {
      const of = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
      return send('POST', origin, path, { ...of, ...headers }, body)
    },
    close: () => agent.destroy(),
  }
}
export type Connections = ReturnType<typeof openConnections>

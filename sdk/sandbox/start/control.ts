/**
 * An HTTP server that runs operator commands for other processes, such as tests that share one product. It
 * listens on localhost only. Pages in a browser cannot use it: this content type and header require a CORS
 * preflight, which fails.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { Product } from './product.ts'

const header = 'latchkey-sandbox-control'
const longestBody = 100_000

export async function serveControl(
  { app }: Pick<Product, 'app'>,
  port: number,
): Promise<() => Promise<void>> {
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: ControlAnswer) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (request.method !== 'POST' || request.url !== '/app')
      return answer(404, { error: 'Only POST /app is supported' })
    const isAllowed =
      request.headers[header] === '1' && request.headers['content-type'] === 'application/json'
    if (!isAllowed) return answer(403, { error: `Send JSON and the header ${header}: 1` })
    const args = parseArguments(await readBody(request))
    if (args === undefined) return answer(422, { error: 'The body must be an array of strings' })
    try {
      answer(200, { printed: await app(...args) })
    } catch (error) {
      answer(400, { error: error instanceof Error ? error.message : String(error) })
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return () => new Promise((resolve) => server.close(() => resolve()))
}
type ControlAnswer = { printed: string } | { error: string }

export async function runByControl(controlUrl: string, args: string[]): Promise<string> {
  const answer = await fetch(`${controlUrl}/app`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [header]: '1' },
    body: JSON.stringify(args),
  })
  const body = (await answer.json()) as ControlAnswer
  if ('error' in body) throw new Error(body.error)
  return body.printed
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) {
    body += String(chunk)
    if (body.length > longestBody) return ''
  }
  return body
}

function parseArguments(body: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined
  } catch {
    return undefined
  }
}

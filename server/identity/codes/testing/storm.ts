/** Sends thousands of guesses over real sockets. */
import { Agent, type Server as HttpServer, type IncomingMessage, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { serve } from '@hono/node-server'
import type { Server } from '../../../start/app.ts'

export type Reachable = Pick<Server, 'request'> & { close: () => Promise<void> }

/** Below the file descriptor limit of most machines. */
const sockets = 250

/** Starts the server on a local port, with the interface of `server.request`. */
export async function serveOverSockets(server: Server): Promise<Reachable> {
  const http = serve({ fetch: server.fetch, hostname: '127.0.0.1', port: 0 }) as HttpServer
  // On a busy machine, the agent would send on a connection that the server is closing.
  http.keepAliveTimeout = 0
  await new Promise((resolve) => http.once('listening', resolve))
  const { port } = http.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: sockets })
  const request: Server['request'] = async (url, init) => {
    const { pathname, search } = new URL(String(url))
    const headers = Object.fromEntries(new Headers(init?.headers))
    const options = { agent, host: '127.0.0.1', port, path: pathname + search, method: init?.method, headers }
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    send(options, resolve)
      .on('error', reject)
      .end(init?.body ?? '')
    const answer = await promise
    const answered = new Headers()
    for (let at = 0; at < answer.rawHeaders.length; at += 2) {
      answered.append(answer.rawHeaders[at] ?? '', answer.rawHeaders[at + 1] ?? '')
    }
    return new Response(await text(answer), { status: answer.statusCode ?? 0, headers: answered })
  }
  return {
    request,
    async close() {
      agent.destroy()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

type Answer = { status: number }

/** Sends a thousand concurrent guesses, each with a different spoofed address, and four resends among them. */
export async function sendGuessStorm<Guessed extends Answer>(
  guess: (index: number, headers: Readonly<Record<string, string>>) => Promise<Guessed>,
  resend: () => Promise<unknown>,
): Promise<readonly Guessed[]> {
  const spoofedAddress = (index: number) => `10.${index >> 8}.${index & 255}.7`
  const resends: Promise<unknown>[] = []
  const guesses = Array.from({ length: 1_000 }, (_, index) => {
    if (index % 250 === 125) resends.push(resend())
    const address = spoofedAddress(index)
    return guess(index, { 'x-forwarded-for': address, 'x-real-ip': address, forwarded: `for=${address}` })
  })
  const [answers] = await Promise.all([Promise.all(guesses), Promise.all(resends)])
  return answers
}

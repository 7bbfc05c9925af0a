/** The WalletConnect v2 relay: JSON-RPC over a WebSocket, in both directions. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import type { FaultSwitch } from '../faults.ts'
import type { Upgrade } from '../http.ts'
import { admit } from './admission.ts'
import { createMailbox, type Listener, type Mailbox, type Message } from './mailbox.ts'
import { InvalidParams, relayMethods, toWireMessage } from './methods.ts'

/** The relay's path. The real relay is at the root of its own host. */
export const relayPath = '/walletconnect'

const largestFrameBytes = 1024 * 1024
/** The provider's close code for a refused project or token. */
const unauthorized = 3000
const errors = {
  parse: -32_700,
  invalidRequest: -32_600,
  unknownMethod: -32_601,
  invalidParams: -32_602,
} as const

export type Relay = {
  upgrade: Upgrade
  counts: () => ReturnType<Mailbox['counts']> & {
    connections: number
    /** Connection attempts by project, failed ones included. */
    attempts: Readonly<Record<string, number>>
  }
  stop: () => void
}

export function createRelay(clock: { now: () => number }, faults: FaultSwitch): Relay {
  const mailbox = createMailbox(clock)
  const sockets = new WebSocketServer({ noServer: true, maxPayload: largestFrameBytes })

  const attempts = new Map<string, number>()

  const connect = (socket: WebSocket, request: IncomingMessage) => {
    const { searchParams } = new URL(request.url ?? '/', 'ws://relay')
    const admission = admit(searchParams, clock.now() / 1_000)
    if (admission.type === 'refused') return socket.close(unauthorized, admission.why)
    if (faults.current().walletconnect === 'unknown-project') {
      return socket.close(unauthorized, 'Unauthorized: invalid key')
    }
    serve(socket, admission.clientId, mailbox, faults)
  }

  return {
    upgrade: {
      path: relayPath,
      handle(request: IncomingMessage, socket: Duplex, head: Buffer) {
        const project = new URL(request.url ?? '/', 'ws://relay').searchParams.get('projectId') ?? ''
        attempts.set(project, (attempts.get(project) ?? 0) + 1)
        if (faults.current().walletconnect === 'refuse') {
          return void socket.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\n')
        }
        sockets.handleUpgrade(request, socket, head, connect)
      },
    },
    counts: () => ({
      ...mailbox.counts(),
      connections: sockets.clients.size,
      attempts: Object.fromEntries(attempts),
    }),
    stop() {
      for (const socket of sockets.clients) socket.terminate()
    },
  }
}

function serve(socket: WebSocket, clientId: string, mailbox: Mailbox, faults: FaultSwitch): void {
  let lastId = 0
  /** Messages without an acknowledgement, by delivery id. */
  const inFlight = new Map<number, Message>()

  const send = async (payload: object) => {
    const fault = await faults.afterStall('walletconnect')
    if (fault === 'refuse') return socket.terminate()
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ jsonrpc: '2.0', ...payload }))
  }

  const listener: Listener = {
    clientId,
    deliver(subscription, message) {
      if (faults.current().walletconnect === 'drop') return
      lastId += 1
      inFlight.set(lastId, message)
      send({
        id: lastId,
        method: 'irn_subscription',
        params: { id: subscription, data: toWireMessage(message) },
      })
    },
  }

  const answer = async (data: RawData) => {
    const payload = parsePayload(String(data))
    if (payload === undefined)
      return send({ id: null, error: { code: errors.parse, message: 'Parse error' } })
    const { id, method } = payload
    if (method === undefined) {
      // The client acknowledges a delivery.
      if (typeof id === 'number' && payload.isResult) {
        inFlight.get(id)?.acknowledgedBy.add(clientId)
        inFlight.delete(id)
      }
      return
    }
    const refuse = (code: number, message: string) => send({ id, error: { code, message } })
    if (id === undefined) return refuse(errors.invalidRequest, 'Invalid request')
    const call = Object.hasOwn(relayMethods, method) ? relayMethods[method] : undefined
    if (call === undefined) return refuse(errors.unknownMethod, `Method not found: ${method}`)
    try {
      const result = call(payload.params, listener, mailbox)
      await send({ id, result })
    } catch (error) {
      if (!(error instanceof InvalidParams)) throw error
      await refuse(errors.invalidParams, `Invalid params: ${error.message}`)
    }
  }

  socket.on('message', (data) => {
    if (faults.current().walletconnect === 'refuse') return socket.terminate()
    answer(data).catch((error: unknown) => {
      console.error(error)
      socket.terminate()
    })
  })
  socket.on('close', () => mailbox.leave(listener))
  socket.on('error', () => socket.terminate())
}

type Payload = {
  id: unknown
  method: string | undefined
  params: Readonly<Record<string, unknown>>
  isResult: boolean
}

function parsePayload(text: string): Payload | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return undefined
    const { id, method, params, ...rest }: Record<string, unknown> = Object.fromEntries(Object.entries(value))
    return {
      id,
      method: typeof method === 'string' ? method : undefined,
      params: typeof params === 'object' && params !== null ? Object.fromEntries(Object.entries(params)) : {},
      isResult: 'result' in rest,
    }
  } catch {
    return undefined
  }
}

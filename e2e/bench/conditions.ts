/**
 * Network latency and CPU slowdown, emulated by the browser for every page, frame and worker before their
 * first script runs. A request takes one round trip. Opening a connection is free, as in browser developer
 * tools.
 */
import { setTimeout as sleep } from 'node:timers/promises'

export type Condition = {
  name: string
  roundTripMs: number
  /** The CPU slowdown factor. */
  slowdown: number
}

export const conditions: readonly Condition[] = [
  { name: 'at 0 ms of round trip', roundTripMs: 0, slowdown: 1 },
  { name: 'at 40 ms of round trip', roundTripMs: 40, slowdown: 1 },
  { name: 'at 400 ms of round trip', roundTripMs: 400, slowdown: 1 },
  { name: 'on a processor 4 times slower', roundTripMs: 0, slowdown: 4 },
]

export type Conditions = {
  /** Sets the condition for pages that open from now on. */
  set: (condition: Condition) => void
  close: () => void
}

type Message = {
  method?: string
  params?: {
    sessionId: string
    targetInfo: { type: string }
  }
}

const TRIES = 50
const TRY_EVERY_MS = 100

/** `port` is the browser's remote debugging port. */
export async function openConditions(port: number): Promise<Conditions> {
  const socket = new WebSocket(await toolAddress(port))
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', reject, { once: true })
  })
  let current: Condition = { name: '', roundTripMs: 0, slowdown: 1 }
  let lastId = 0
  const send = (method: string, params: object = {}, sessionId?: string) => {
    lastId += 1
    socket.send(JSON.stringify({ id: lastId, method, params, ...(sessionId && { sessionId }) }))
  }
  // Every new target waits for the debugger, receives its conditions, and auto-attaches its own targets.
  const attach = (sessionId?: string) =>
    send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }, sessionId)
  socket.addEventListener('message', ({ data }) => {
    const { method, params }: Message = JSON.parse(String(data))
    if (method !== 'Target.attachedToTarget' || !params) return
    const { sessionId, targetInfo } = params
    attach(sessionId)
    send(
      'Network.emulateNetworkConditions',
      { offline: false, latency: current.roundTripMs, downloadThroughput: -1, uploadThroughput: -1 },
      sessionId,
    )
    if (targetInfo.type === 'page' || targetInfo.type === 'iframe' || targetInfo.type === 'worker')
      send('Emulation.setCPUThrottlingRate', { rate: current.slowdown }, sessionId)
    send('Runtime.runIfWaitingForDebugger', {}, sessionId)
  })
  attach()
  return {
    set: (condition) => {
      current = condition
    },
    close: () => socket.close(),
  }
}

async function toolAddress(port: number): Promise<string> {
  for (let tried = 1; ; tried += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/json/version`).catch(() => undefined)
    if (answer?.ok) return (await answer.json()).webSocketDebuggerUrl
    if (tried === TRIES) throw new Error(`The browser does not listen for debuggers on port ${port}`)
    await sleep(TRY_EVERY_MS)
  }
}

import { LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import type { Latchkey } from '../calls/latchkey.ts'
import { type AnyRow, calls } from './calls.ts'
import { type Client, clientDestroyed } from './client.ts'
import { refusedEvent } from './page.ts'

/** What a handle needs: the client that its app has on this page, and how to let go of it. */
export type Lease = { client: Pick<Client, 'call' | 'events'>; release(): void }

/** Throws at what nobody can listen to. */
export type CheckListener = (name: unknown, listener: unknown) => void

/** One caller's hold on the client. What it opened is taken back with it, while other handles go on. */
export function createHandle(
  appId: string,
  { client, release }: Lease,
  checkListener?: CheckListener,
): Latchkey {
  const waiting = new Map<(error: LatchkeyError) => void, AnyRow['refusal']>()
  /** Calls that a person is asked for. They end with what the dialog says was done, even when they are taken back. */
  const unsettled = new Set<Promise<unknown>>()
  const listening = new AbortController()
  let destroyed = false

  const refuse = () => {
    for (const [leave, code] of waiting) if (code) leave(new LatchkeyError(code, 'The user closed it'))
  }
  client.events.addEventListener(refusedEvent, refuse, listening)

  const call = (name: string, args: readonly unknown[]) =>
    new Promise<unknown>((resolve, reject) => {
      const controller = new AbortController()
      const signal = signalIn(args)
      let isAsked = false
      const refusal = calls[name]?.refusal
      const leave = (error: LatchkeyError) => {
        if (!isAsked) reject(error)
        controller.abort(error)
      }
      const onAbort = () =>
        leave(toLatchkeyError(signal?.reason, 'call_cancelled', 'The call was taken back'))
      if (destroyed) leave(clientDestroyed())
      else if (signal?.aborted) onAbort()
      else {
        waiting.set(leave, refusal)
        signal?.addEventListener('abort', onAbort)
        const answer = client.call(name, args, controller.signal).finally(() => {
          waiting.delete(leave)
          unsettled.delete(answer)
          signal?.removeEventListener('abort', onAbort)
        })
        // A client of another copy of the loader does not know this one's errors, and says that it was taken back.
        const { signal: own } = controller
        answer.then(resolve, (error) =>
          reject(error.code === 'call_cancelled' ? (own.reason ?? error) : error),
        )
        if (refusal) {
          isAsked = true
          unsettled.add(answer)
        }
      }
    })

  const methods = Object.fromEntries(
    Object.keys(calls).map((name) => [name, (...args: readonly unknown[]) => call(name, args)]),
  )
  const handle = {
    // The table is typed by the methods that it makes.
    ...(methods as unknown as Omit<Latchkey, 'appId' | 'ready' | 'on' | 'destroy'>),
    appId,
    get ready() {
      const ready = call('getUser', []).then((user) => ({ authenticated: user !== null }))
      // Somebody who only looks at the property, as a debugger does, gets no unhandled rejection.
      ready.catch(() => {})
      return ready
    },
    on(name, listener) {
      checkListener?.(name, listener)
      const run = (event: Event) => {
        if (event instanceof CustomEvent) listener(event.detail)
      }
      client.events.addEventListener(name, run, listening)
      return () => client.events.removeEventListener(name, run)
    },
    destroy() {
      if (destroyed) return
      destroyed = true
      listening.abort()
      for (const leave of waiting.keys()) leave(clientDestroyed())
      if (unsettled.size > 0) void Promise.allSettled(unsettled).then(release)
      else release()
    },
  } satisfies Latchkey
  return Object.freeze(handle)
}

/** A caller's own signal comes with the options, which are the last argument. */
function signalIn(args: readonly unknown[]): AbortSignal | undefined {
  const { signal } = Object(args.at(-1))
  return signal instanceof AbortSignal ? signal : undefined
}

/** A handle where there can be none: on a server, or with an app id that is none. It is safe to hold. */
export const refuseAll = (appId: string, error: LatchkeyError): Latchkey =>
  createHandle(appId, {
    client: { call: () => Promise.reject(error), events: new EventTarget() },
    release() {},
  })

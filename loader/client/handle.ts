import { LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import type { Latchkey } from '../calls/latchkey.ts'
import { type AnyRow, calls } from './calls.ts'
import { type Client, clientDestroyed } from './client.ts'
import { refusedEvent } from './page.ts'

/** The resources of a handle: the client of its app on this page, and a function that releases it. */
export type Lease = { client: Pick<Client, 'call' | 'events'>; release(): void }

/** Throws if the event name or the listener is invalid. */
export type CheckListener = (name: unknown, listener: unknown) => void

/** Creates a handle on a client. Destroying it cancels its calls; other handles continue. */
export function createHandle(
  appId: string,
  { client, release }: Lease,
  checkListener?: CheckListener,
): Latchkey {
  const waiting = new Map<(error: LatchkeyError) => void, AnyRow['refusal']>()
  /** Calls that need the user. The dialog's response settles them, even after cancellation. */
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
      let needsUser = false
      const refusal = calls[name]?.refusal
      const cancel = (error: LatchkeyError) => {
        if (!needsUser) reject(error)
        controller.abort(error)
      }
      const onAbort = () =>
        cancel(toLatchkeyError(signal?.reason, 'call_cancelled', 'The call was taken back'))
      if (destroyed) cancel(clientDestroyed())
      else if (signal?.aborted) onAbort()
      else {
        waiting.set(cancel, refusal)
        signal?.addEventListener('abort', onAbort)
        const answer = client.call(name, args, controller.signal).finally(() => {
          waiting.delete(cancel)
          unsettled.delete(answer)
          signal?.removeEventListener('abort', onAbort)
        })
        // A client of another copy of the loader has its own error class and rejects with `call_cancelled`.
        const { signal: own } = controller
        answer.then(resolve, (error) =>
          reject(error.code === 'call_cancelled' ? (own.reason ?? error) : error),
        )
        if (refusal) {
          needsUser = true
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
      // Reading the property alone, as a debugger does, must not cause an unhandled rejection.
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
      for (const cancel of waiting.keys()) cancel(clientDestroyed())
      if (unsettled.size > 0) void Promise.allSettled(unsettled).then(release)
      else release()
    },
  } satisfies Latchkey
  return Object.freeze(handle)
}

/** Returns the caller's signal from the options, which are the last argument. */
function signalIn(args: readonly unknown[]): AbortSignal | undefined {
  const { signal } = Object(args.at(-1))
  return signal instanceof AbortSignal ? signal : undefined
}

/** Creates a handle that rejects every call, for a server or an invalid app id. */
export const refuseAll = (appId: string, error: LatchkeyError): Latchkey =>
  createHandle(appId, {
    client: { call: () => Promise.reject(error), events: new EventTarget() },
    release() {},
  })

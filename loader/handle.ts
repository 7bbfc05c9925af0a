import type { LatchkeyError } from '@latchkey/protocol'
import type { Client } from './client.ts'
import type { Latchkey } from './latchkey.ts'
import { clientDestroyed, type Lease } from './registry.ts'

/** One caller's hold on the client. What it opened settles with it, while other handles go on. */
export function createHandle(appId: string, { client, release }: Lease): Latchkey {
  const waiting = new Set<(error: LatchkeyError) => void>()
  const listening = new AbortController()
  let destroyed = false

  function call<T>(run: (client: Client) => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    if (destroyed) {
      reject(clientDestroyed())
      return promise
    }
    waiting.add(reject)
    run(client)
      .then(resolve, reject)
      .finally(() => waiting.delete(reject))
    return promise
  }

  return Object.freeze<Latchkey>({
    appId,
    get ready() {
      const ready = call((shared) => shared.ready())
      // Somebody who only looks at the property, as a debugger does, gets no unhandled rejection.
      ready.catch(() => {})
      return ready
    },
    login: () => call((shared) => shared.login()),
    logout: () => call((shared) => shared.logout()),
    getUser: () => call((shared) => shared.getUser()),
    getAccessToken: () => call((shared) => shared.getAccessToken()),
    createWallet: () => call((shared) => shared.createWallet()),
    signMessage: (message, ui) => call((shared) => shared.signMessage(message, ui)),
    setConfig: (config) => call((shared) => shared.setConfig(config)),
    on(name, listener) {
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
      for (const reject of waiting) reject(clientDestroyed())
      release()
    },
  })
}

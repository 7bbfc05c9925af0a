/** The browser behind the core's ports. */
import { LatchkeyError, product } from '@latchkey/protocol'
import { toBase64url } from './api/base64url.ts'
import type { KeyValueStore, Locks, Notices, Random } from './ports.ts'

const defaultIdBytes = 16

export const browserRandom: Random = {
  id: (bytes = defaultIdBytes) => toBase64url(crypto.getRandomValues(new Uint8Array(bytes))),
  uuid: () => crypto.randomUUID(),
}

/** Reading `localStorage` itself throws where the user has blocked storage in frames, so it is read late. */
export const browserStore: KeyValueStore = {
  read: (name) => localStorage.getItem(name),
  write: (name, value) => localStorage.setItem(name, value),
  remove: (name) => localStorage.removeItem(name),
}

export const browserLocks: Locks = {
  async hold(name, deadlineMs, run) {
    let held = false
    try {
      return await navigator.locks.request(name, { signal: AbortSignal.timeout(deadlineMs) }, () => {
        held = true
        return run()
      })
    } catch (cause) {
      if (held) throw cause
      throw new LatchkeyError('client_request_timeout', 'Another tab did not finish renewing the session', {
        cause,
      })
    }
  },
}

export function browserNotices(appId: string): Notices {
  const channel = new BroadcastChannel(product.storageName(appId, 'session'))
  return {
    tell: () => channel.postMessage(null),
    listen: (run) => channel.addEventListener('message', run),
  }
}

/**
 * Browser implementations of the core's ports.
 *
 * Firefox with blocked third-party storage throws when `localStorage`, `navigator.locks` or `new BroadcastChannel` is
 * accessed. Each is therefore accessed late, so that the page starts and calls reject with a code.
 */
import { LatchkeyError, product } from '@latchkey/protocol'
import { toBase64url } from './base64url.ts'
import type { KeyValueStore, Locks, Network, Notices, Random } from './ports.ts'
import { storageUnavailable } from './storage.ts'
import { throwIfAborted, toAbortError } from './waiting.ts'

const defaultIdBytes = 16

export const browserRandom: Random = {
  id: (bytes = defaultIdBytes) => toBase64url(crypto.getRandomValues(new Uint8Array(bytes))),
  uuid: () => crypto.randomUUID(),
}

export const browserStore: KeyValueStore = {
  read: (name) => localStorage.getItem(name),
  write: (name, value) => localStorage.setItem(name, value),
  remove: (name) => localStorage.removeItem(name),
}

export const browserNetwork: Network = {
  isOnline: () => navigator.onLine,
  whenOnline: () => new Promise((resolve) => addEventListener('online', () => resolve(), { once: true })),
}

export function createLocks(browser: { locks: LockManager }): Locks {
  return {
    async hold(name, deadlineMs, run, signal) {
      throwIfAborted(signal)
      const tooLate = AbortSignal.timeout(deadlineMs)
      const until = signal ? AbortSignal.any([tooLate, signal]) : tooLate
      let isHeld = false
      try {
        return await browser.locks.request(name, { signal: until }, () => {
          isHeld = true
          return run()
        })
      } catch (cause) {
        if (isHeld) throw cause
        if (signal?.aborted) throw toAbortError(signal)
        throw tooLate.aborted ? lockTimeout(cause) : storageUnavailable(cause)
      }
    },
  }
}

export const browserLocks = createLocks(navigator)

const lockTimeout = (cause: unknown) =>
  new LatchkeyError('client_request_timeout', 'Another tab did not respond in time', { cause })

type NoticeChannel = Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>

/** The window events that follow changes in other tabs. */
type TabEvents = {
  addEventListener(type: 'storage', listener: (event: Pick<StorageEvent, 'key'>) => void): void
  addEventListener(type: 'pageshow' | 'visibilitychange', listener: () => void): void
}

/**
 * Notifies other tabs. Without a channel, tabs notice changes at their next call. Firefox may deliver a message
 * before the storage change is readable, and its `storage` event afterwards. A frozen tab may miss both, so it checks
 * again when it becomes visible.
 */
export function browserNotices(
  appId: string,
  open: (name: string) => NoticeChannel = (name) => new BroadcastChannel(name),
  tabEvents: TabEvents = window,
): Notices {
  const name = product.storageName(appId, 'session')
  try {
    const channel = open(name)
    return {
      tell: () => channel.postMessage(null),
      listen(run) {
        channel.addEventListener('message', run)
        tabEvents.addEventListener('storage', ({ key }) => {
          if (key === name) run()
        })
        tabEvents.addEventListener('visibilitychange', run)
        tabEvents.addEventListener('pageshow', run)
      },
    }
  } catch {
    return silentNotices
  }
}

const silentNotices: Notices = { tell: () => {}, listen: () => {} }

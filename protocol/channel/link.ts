/** The present handshake as a promise, and what penpal's messages tell of the other window's documents. */
import { type Messenger, WindowMessenger } from 'penpal'
import { LatchkeyError } from '../errors/errors.ts'

export type ChannelTarget =
  | { window: Window; origin: string }
  /** For tests, and for boundaries that are no windows. */
  | { messenger: Messenger }

export function createMessenger(target: ChannelTarget): Messenger {
  if ('messenger' in target) return target.messenger
  const { window: remoteWindow, origin } = target
  if (!isExactOrigin(origin)) throw new LatchkeyError('invalid_origin', `Not an exact origin: ${origin}`)
  return new WindowMessenger({ remoteWindow, allowedOrigins: [origin] })
}

function isExactOrigin(origin: string): boolean {
  try {
    return new URL(origin).origin === origin
  } catch {
    return false
  }
}

export type HandshakeWatch = {
  /** The first one, and each one after a reload. */
  onNewDocument: () => void
  onShaken: () => void
  onDestroyed: () => void
}

/** Penpal repeats its handshake silently; its messages tell when. A new participant id is a new document. */
export function watchHandshakes(messenger: Messenger, watch: HandshakeWatch) {
  let participant: string | undefined
  messenger.addMessageHandler((message) => {
    switch (message.type) {
      case 'SYN':
        if (participant !== message.participantId) watch.onNewDocument()
        participant = message.participantId
        return
      case 'ACK1':
      case 'ACK2':
        // Penpal's own handler, which makes the port usable, runs after this one.
        queueMicrotask(watch.onShaken)
        return
      case 'DESTROY':
        queueMicrotask(watch.onDestroyed)
        return
      default:
        return
    }
  })
}

export type Link = {
  promise: Promise<void>
  expire: (afterMs: number, then: () => void) => void
  /** Tells whether this was the first time. */
  resolve: () => boolean
  fail: (error: LatchkeyError) => void
}

/** Settles once. Rejections that nobody waits for are no news. */
export function createLink(): Link {
  let settle: { resolve: () => void; reject: (error: LatchkeyError) => void }
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject }
  })
  promise.catch(() => {})
  let resolved = false
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    promise,
    expire(afterMs, then) {
      timer = setTimeout(then, afterMs)
    },
    resolve() {
      clearTimeout(timer)
      const first = !resolved
      resolved = true
      settle.resolve()
      return first
    },
    fail(error) {
      clearTimeout(timer)
      settle.reject(error)
    },
  }
}

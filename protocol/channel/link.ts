/** The current handshake as a promise, and the events of penpal's messages. */
import { type Messenger, WindowMessenger } from 'penpal'
import { LatchkeyError } from '../errors/errors.ts'

export type ChannelTarget =
  | { window: Window; origin: string }
  /** Used in tests and for boundaries that are not windows. */
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
  /** The first document, and each reload. */
  onNewDocument: () => void
  onHandshake: () => void
  onDestroyed: () => void
}

/**
 * Watches penpal's messages, because penpal repeats its handshake without an event. A new participant id means a new
 * document.
 */
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
        // Penpal's own handler runs after this one and makes the port usable.
        queueMicrotask(watch.onHandshake)
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
  /** Returns whether this was the first call. */
  resolve: () => boolean
  fail: (error: LatchkeyError) => void
}

/** Creates a promise that settles once. Its rejection is never unhandled. */
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

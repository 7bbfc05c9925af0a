import { type Mail, normalizeAddress } from './message.ts'

/** Limits of the inbox. It drops the oldest messages first. */
export type InboxLimits = { messages: number; bytes: number }

const inboxLimits: InboxLimits = { messages: 1_000, bytes: 64 * 1024 * 1024 }

export type Message = Mail & {
  id: string
  /** Increases with every mail, also across restarts, so that "after this one" is always well defined. */
  cursor: number
  receivedAt: string
}

export type InboxChange = { type: 'arrived'; message: Message } | { type: 'cleared' }

export type Inbox = {
  add: (mail: Mail) => Message
  /** Returns messages, newest first. */
  list: (query?: { to?: string; limit?: number }) => readonly Message[]
  get: (id: string) => Message | undefined
  clear: () => void
  cursor: () => number
  /** Resolves with the first message for `to` after the cursor, or undefined when the signal aborts. */
  next: (query: { to?: string; after?: number; signal: AbortSignal }) => Promise<Message | undefined>
  watch: (listener: (change: InboxChange) => void) => () => void
}

export const createInbox = (clock: { now: () => number }, limits: InboxLimits = inboxLimits): Inbox => {
  let messages: Message[] = []
  let bytes = 0
  let cursor = clock.now()
  const listeners = new Set<(change: InboxChange) => void>()

  const notify = (change: InboxChange) => {
    for (const listener of [...listeners]) listener(change)
  }

  const dropOldest = () => {
    while (messages.length > limits.messages || (bytes > limits.bytes && messages.length > 1)) {
      bytes -= messages.shift()?.raw.byteLength ?? 0
    }
  }

  const isFor = (to: string | undefined) => {
    const address = to === undefined ? undefined : normalizeAddress(to)
    return (message: Message) => address === undefined || message.to.includes(address)
  }

  const watch: Inbox['watch'] = (listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  return {
    add: (mail) => {
      cursor += 1
      const message: Message = {
        ...mail,
        id: String(cursor),
        cursor,
        receivedAt: new Date(clock.now()).toISOString(),
      }
      messages.push(message)
      bytes += mail.raw.byteLength
      dropOldest()
      notify({ type: 'arrived', message })
      return message
    },
    list: ({ to, limit = limits.messages } = {}) => messages.filter(isFor(to)).slice(-limit).reverse(),
    get: (id) => messages.find((message) => message.id === id),
    clear: () => {
      messages = []
      bytes = 0
      notify({ type: 'cleared' })
    },
    cursor: () => cursor,
    next: ({ to, after = 0, signal }) => {
      const isMatch = (message: Message) => message.cursor > after && isFor(to)(message)
      const existing = messages.find(isMatch)
      if (existing !== undefined || signal.aborted) return Promise.resolve(existing)
      return new Promise((resolve) => {
        const settle = (message: Message | undefined) => {
          unwatch()
          signal.removeEventListener('abort', onAbort)
          resolve(message)
        }
        const onAbort = () => settle(undefined)
        const unwatch = watch((change) => {
          if (change.type === 'arrived' && isMatch(change.message)) settle(change.message)
        })
        signal.addEventListener('abort', onAbort)
      })
    },
    watch,
  }
}

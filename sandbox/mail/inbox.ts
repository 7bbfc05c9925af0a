import { type Mail, normalAddress } from './message.ts'

/** The most that the inbox keeps; it drops the oldest messages first. */
export type InboxLimits = { messages: number; bytes: number }

const inboxLimits: InboxLimits = { messages: 1_000, bytes: 64 * 1024 * 1024 }

export type Message = Mail & {
  id: string
  /** Grows with every mail, also over a restart, so that "after this one" always means something. */
  cursor: number
  receivedAt: string
}

export type InboxChange = { type: 'arrived'; message: Message } | { type: 'cleared' }

export type Inbox = {
  add: (mail: Mail) => Message
  /** Newest first. */
  list: (query?: { to?: string; limit?: number }) => readonly Message[]
  get: (id: string) => Message | undefined
  clear: () => void
  cursor: () => number
  /** The oldest message for `to` that came after the cursor, waiting for it until the signal aborts. */
  next: (query: { to?: string; after?: number; signal: AbortSignal }) => Promise<Message | undefined>
  watch: (listener: (change: InboxChange) => void) => () => void
}

export const createInbox = (clock: { now: () => number }, limits: InboxLimits = inboxLimits): Inbox => {
  let messages: Message[] = []
  let bytes = 0
  let cursor = clock.now()
  const listeners = new Set<(change: InboxChange) => void>()

  const tell = (change: InboxChange) => {
    for (const listener of [...listeners]) listener(change)
  }

  const dropOldest = () => {
    while (messages.length > limits.messages || (bytes > limits.bytes && messages.length > 1)) {
      bytes -= messages.shift()?.raw.byteLength ?? 0
    }
  }

  const isFor = (to: string | undefined) => {
    const wanted = to === undefined ? undefined : normalAddress(to)
    return (message: Message) => wanted === undefined || message.to.includes(wanted)
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
      tell({ type: 'arrived', message })
      return message
    },
    list: ({ to, limit = limits.messages } = {}) => messages.filter(isFor(to)).slice(-limit).reverse(),
    get: (id) => messages.find((message) => message.id === id),
    clear: () => {
      messages = []
      bytes = 0
      tell({ type: 'cleared' })
    },
    cursor: () => cursor,
    next: ({ to, after = 0, signal }) => {
      const wanted = (message: Message) => message.cursor > after && isFor(to)(message)
      const here = messages.find(wanted)
      if (here !== undefined || signal.aborted) return Promise.resolve(here)
      return new Promise((resolve) => {
        const settle = (message: Message | undefined) => {
          unwatch()
          signal.removeEventListener('abort', onAbort)
          resolve(message)
        }
        const onAbort = () => settle(undefined)
        const unwatch = watch((change) => {
          if (change.type === 'arrived' && wanted(change.message)) settle(change.message)
        })
        signal.addEventListener('abort', onAbort)
      })
    },
    watch,
  }
}

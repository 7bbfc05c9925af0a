/**
 * Messages of the relay by topic. Each is stored until its time to live ends or its recipient acknowledges
 * it. Their content is encrypted.
 */
import { createHash } from 'node:crypto'

export const mailboxLimits = { keptMessages: 10_000, longestSeconds: 30 * 24 * 60 * 60 } as const

export type Publication = {
  topic: string
  message: string
  ttlSeconds: number
  tag: number
  attestation?: string
}

export type Message = Publication & {
  from: string
  publishedAt: number
  /** Clients that acknowledged the message. */
  acknowledgedBy: Set<string>
}

/** A client's connection. */
export type Listener = {
  clientId: string
  deliver: (subscription: string, message: Message) => void
}

export type Mailbox = {
  publish: (from: string, sent: Publication) => void
  /** Returns the subscription id. Delivers waiting messages of the topic at once. */
  subscribe: (listener: Listener, topic: string) => string
  unsubscribe: (listener: Listener, topic: string) => void
  /** Returns the waiting messages of these topics, for a client that polls. */
  waiting: (clientId: string, topics: readonly string[]) => readonly Message[]
  leave: (listener: Listener) => void
  counts: () => { published: number; kept: number; subscriptions: number }
}

const subscriptionId = (topic: string, clientId: string) =>
  createHash('sha256')
    .update(topic + clientId)
    .digest('hex')

export function createMailbox({ now }: { now: () => number }): Mailbox {
  let messages: readonly Message[] = []
  let published = 0
  const listeners = new Map<string, Set<Listener>>()

  const isAlive = ({ publishedAt, ttlSeconds }: Message) => now() < publishedAt + ttlSeconds * 1_000
  const isFor = (clientId: string, { from, acknowledgedBy: takenBy }: Message) =>
    from !== clientId && !takenBy.has(clientId)
  const waiting: Mailbox['waiting'] = (clientId, topics) =>
    messages.filter((one) => topics.includes(one.topic) && isAlive(one) && isFor(clientId, one))
  const deliver = (listener: Listener, message: Message) =>
    listener.deliver(subscriptionId(message.topic, listener.clientId), message)
  const removeListener = (listener: Listener, topic: string) => {
    const those = listeners.get(topic)
    those?.delete(listener)
    if (those?.size === 0) listeners.delete(topic)
  }

  return {
    publish(from, sent) {
      published += 1
      const message: Message = { ...sent, from, publishedAt: now(), acknowledgedBy: new Set() }
      messages = [...messages.filter(isAlive), message].slice(-mailboxLimits.keptMessages)
      for (const listener of listeners.get(sent.topic) ?? []) {
        if (isFor(listener.clientId, message)) deliver(listener, message)
      }
    },

    subscribe(listener, topic) {
      listeners.set(topic, (listeners.get(topic) ?? new Set()).add(listener))
      for (const message of waiting(listener.clientId, [topic])) deliver(listener, message)
      return subscriptionId(topic, listener.clientId)
    },

    unsubscribe: removeListener,
    waiting,

    leave(listener) {
      for (const topic of [...listeners.keys()]) removeListener(listener, topic)
    },

    counts: () => ({
      published,
      kept: messages.filter(isAlive).length,
      subscriptions: [...listeners.values()].reduce((sum, those) => sum + those.size, 0),
    }),
  }
}

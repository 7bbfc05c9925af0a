/**
 * The calls of a relay: https://specs.walletconnect.com/2.0/specs/servers/relay/relay-server-rpc, and the two by which
 * clients from 2.21 on propose and approve a session: each publishes and subscribes in one.
 */
import { type Listener, type Mailbox, type Message, mailboxLimits, type Sent } from './mailbox.ts'

type Params = Readonly<Record<string, unknown>>
export type RelayMethod = (params: Params, from: Listener, mailbox: Mailbox) => unknown

/** What a call has wrong, said as the relay says it. */
export class InvalidParams extends Error {}

/** The tags of https://specs.walletconnect.com/2.0/specs/clients/sign/rpc-methods, and their lives. */
const proposal = { tag: 1100, ttlSeconds: 300 } as const
const proposalAnswer = { tag: 1101, ttlSeconds: 300 } as const
const settlement = { tag: 1102, ttlSeconds: 300 } as const

const text = (params: Params, name: string): string => {
  const value = params[name]
  if (typeof value === 'string' && value !== '') return value
  throw new InvalidParams(`${name} must be a string`)
}
const topicOf = (params: Params, name = 'topic'): string => {
  const topic = text(params, name)
  if (/^[0-9a-f]{64}$/.test(topic)) return topic
  throw new InvalidParams(`${name} must be 32 bytes in hexadecimal digits`)
}
const listOf = (params: Params, name: string): readonly unknown[] => {
  const value = params[name]
  if (Array.isArray(value)) return value
  throw new InvalidParams(`${name} must be a list`)
}
const recordOf = (value: unknown): Params => {
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value))
  throw new InvalidParams('an entry must be an object')
}
const topicsOf = (params: Params) => listOf(params, 'topics').map((topic) => topicOf({ topic }))

const sentOf = (params: Params): Sent => {
  const { ttl, tag, attestation } = params
  if (typeof ttl !== 'number' || ttl <= 0 || ttl > mailboxLimits.longestSeconds) {
    throw new InvalidParams('ttl must be seconds, at most 30 days')
  }
  return {
    topic: topicOf(params),
    message: text(params, 'message'),
    ttlSeconds: ttl,
    tag: typeof tag === 'number' ? tag : 0,
    ...(typeof attestation === 'string' && attestation !== '' && { attestation }),
  }
}

/** The fields of a message on the wire. */
export const messageOf = ({ topic, message, publishedAt, tag, attestation }: Message) => ({
  topic,
  message,
  publishedAt,
  tag,
  ...(attestation !== undefined && { attestation }),
})

const fetched = (topics: readonly string[], { clientId }: Listener, mailbox: Mailbox) => {
  const waiting = mailbox.waiting(clientId, topics)
  for (const { takenBy } of waiting) takenBy.add(clientId)
  return { messages: waiting.map(messageOf), hasMore: false }
}

export const relayMethods: Readonly<Record<string, RelayMethod>> = {
  irn_subscribe: (params, from, mailbox) => mailbox.subscribe(from, topicOf(params)),
  irn_batchSubscribe: (params, from, mailbox) =>
    topicsOf(params).map((topic) => mailbox.subscribe(from, topic)),
  irn_unsubscribe(params, from, mailbox) {
    mailbox.unsubscribe(from, topicOf(params))
    return true
  },
  irn_batchUnsubscribe(params, from, mailbox) {
    for (const one of listOf(params, 'subscriptions')) mailbox.unsubscribe(from, topicOf(recordOf(one)))
    return true
  },
  irn_publish(params, { clientId }, mailbox) {
    mailbox.publish(clientId, sentOf(params))
    return true
  },
  irn_batchPublish(params, { clientId }, mailbox) {
    for (const sent of listOf(params, 'messages').map((one) => sentOf(recordOf(one)))) {
      mailbox.publish(clientId, sent)
    }
    return true
  },
  irn_fetchMessages: (params, from, mailbox) => fetched([topicOf(params)], from, mailbox),
  irn_batchFetchMessages: (params, from, mailbox) => fetched(topicsOf(params), from, mailbox),
  wc_proposeSession(params, from, mailbox) {
    const topic = topicOf(params, 'pairingTopic')
    const message = text(params, 'sessionProposal')
    mailbox.subscribe(from, topic)
    mailbox.publish(from.clientId, { topic, message, ...proposal })
    return true
  },
  wc_approveSession(params, from, mailbox) {
    const pairingTopic = topicOf(params, 'pairingTopic')
    const sessionTopic = topicOf(params, 'sessionTopic')
    const answer = text(params, 'sessionProposalResponse')
    const settled = text(params, 'sessionSettlementRequest')
    mailbox.subscribe(from, sessionTopic)
    mailbox.publish(from.clientId, { topic: pairingTopic, message: answer, ...proposalAnswer })
    mailbox.publish(from.clientId, { topic: sessionTopic, message: settled, ...settlement })
    return true
  },
}

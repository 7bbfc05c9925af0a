/**
 * The relay's methods (https://specs.walletconnect.com/2.0/specs/servers/relay/relay-server-rpc). Clients
 * from 2.21 on propose and approve sessions with two further methods, which publish and subscribe in one
 * call.
 */
import { type Listener, type Mailbox, type Message, mailboxLimits, type Publication } from './mailbox.ts'

type Params = Readonly<Record<string, unknown>>
export type RelayMethod = (params: Params, from: Listener, mailbox: Mailbox) => unknown

/** An error in the parameters of a call. */
export class InvalidParams extends Error {}

/** Message tags and lifetimes of https://specs.walletconnect.com/2.0/specs/clients/sign/rpc-methods. */
const proposal = { tag: 1100, ttlSeconds: 300 } as const
const proposalAnswer = { tag: 1101, ttlSeconds: 300 } as const
const settlement = { tag: 1102, ttlSeconds: 300 } as const

const parseText = (params: Params, name: string): string => {
  const value = params[name]
  if (typeof value === 'string' && value !== '') return value
  throw new InvalidParams(`${name} must be a string`)
}
const parseTopic = (params: Params, name = 'topic'): string => {
  const topic = parseText(params, name)
  if (/^[0-9a-f]{64}$/.test(topic)) return topic
  throw new InvalidParams(`${name} must be 32 bytes in hexadecimal digits`)
}
const parseList = (params: Params, name: string): readonly unknown[] => {
  const value = params[name]
  if (Array.isArray(value)) return value
  throw new InvalidParams(`${name} must be a list`)
}
const parseRecord = (value: unknown): Params => {
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value))
  throw new InvalidParams('an entry must be an object')
}
const parseTopics = (params: Params) => parseList(params, 'topics').map((topic) => parseTopic({ topic }))

const parsePublication = (params: Params): Publication => {
  const { ttl, tag, attestation } = params
  if (typeof ttl !== 'number' || ttl <= 0 || ttl > mailboxLimits.longestSeconds) {
    throw new InvalidParams('ttl must be seconds, at most 30 days')
  }
  return {
    topic: parseTopic(params),
    message: parseText(params, 'message'),
    ttlSeconds: ttl,
    tag: typeof tag === 'number' ? tag : 0,
    ...(typeof attestation === 'string' && attestation !== '' && { attestation }),
  }
}

/** Returns the wire format of a message. */
export const toWireMessage = ({ topic, message, publishedAt, tag, attestation }: Message) => ({
  topic,
  message,
  publishedAt,
  tag,
  ...(attestation !== undefined && { attestation }),
})

const fetchMessages = (topics: readonly string[], { clientId }: Listener, mailbox: Mailbox) => {
  const waiting = mailbox.waiting(clientId, topics)
  for (const { acknowledgedBy: takenBy } of waiting) takenBy.add(clientId)
  return { messages: waiting.map(toWireMessage), hasMore: false }
}

export const relayMethods: Readonly<Record<string, RelayMethod>> = {
  irn_subscribe: (params, from, mailbox) => mailbox.subscribe(from, parseTopic(params)),
  irn_batchSubscribe: (params, from, mailbox) =>
    parseTopics(params).map((topic) => mailbox.subscribe(from, topic)),
  irn_unsubscribe(params, from, mailbox) {
    mailbox.unsubscribe(from, parseTopic(params))
    return true
  },
  irn_batchUnsubscribe(params, from, mailbox) {
    for (const one of parseList(params, 'subscriptions'))
      mailbox.unsubscribe(from, parseTopic(parseRecord(one)))
    return true
  },
  irn_publish(params, { clientId }, mailbox) {
    mailbox.publish(clientId, parsePublication(params))
    return true
  },
  irn_batchPublish(params, { clientId }, mailbox) {
    for (const sent of parseList(params, 'messages').map((one) => parsePublication(parseRecord(one)))) {
      mailbox.publish(clientId, sent)
    }
    return true
  },
  irn_fetchMessages: (params, from, mailbox) => fetchMessages([parseTopic(params)], from, mailbox),
  irn_batchFetchMessages: (params, from, mailbox) => fetchMessages(parseTopics(params), from, mailbox),
  wc_proposeSession(params, from, mailbox) {
    const topic = parseTopic(params, 'pairingTopic')
    const message = parseText(params, 'sessionProposal')
    mailbox.subscribe(from, topic)
    mailbox.publish(from.clientId, { topic, message, ...proposal })
    return true
  },
  wc_approveSession(params, from, mailbox) {
    const pairingTopic = parseTopic(params, 'pairingTopic')
    const sessionTopic = parseTopic(params, 'sessionTopic')
    const answer = parseText(params, 'sessionProposalResponse')
    const settled = parseText(params, 'sessionSettlementRequest')
    mailbox.subscribe(from, sessionTopic)
    mailbox.publish(from.clientId, { topic: pairingTopic, message: answer, ...proposalAnswer })
    mailbox.publish(from.clientId, { topic: sessionTopic, message: settled, ...settlement })
    return true
  },
}

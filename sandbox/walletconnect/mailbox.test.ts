import { expect, test } from 'vitest'
import { createMailbox, type Listener, type Message } from './mailbox.ts'

const topic = 'a'.repeat(64)
const start = () => {
  let now = 1_000_000
  const mailbox = createMailbox({ now: () => now })
  const listen = (clientId: string) => {
    const got: Message[] = []
    const listener: Listener = { clientId, deliver: (_, message) => void got.push(message) }
    return { listener, got, texts: () => got.map(({ message }) => message) }
  }
  const publish = (message: string, ttlSeconds = 300) =>
    mailbox.publish('app', { topic, message, ttlSeconds, tag: 1100 })
  return { mailbox, listen, publish, pass: (ms: number) => (now += ms) }
}

test('a listener receives a message at once, and its sender does not', () => {
  const { mailbox, listen, publish } = start()
  const [wallet, app] = [listen('wallet'), listen('app')]
  mailbox.subscribe(wallet.listener, topic)
  mailbox.subscribe(app.listener, topic)
  publish('hello')
  expect(wallet.texts()).toEqual(['hello'])
  expect(app.texts()).toEqual([])
})

test('a later listener receives waiting messages until their time to live ends', () => {
  const { mailbox, listen, publish, pass } = start()
  publish('five minutes', 300)
  publish('a day', 86_400)
  pass(299_999)
  const early = listen('early')
  mailbox.subscribe(early.listener, topic)
  expect(early.texts()).toEqual(['five minutes', 'a day'])
  pass(1)
  const late = listen('late')
  mailbox.subscribe(late.listener, topic)
  expect(late.texts()).toEqual(['a day'])
})

test('a client does not receive an acknowledged message again, even on another connection', () => {
  const { mailbox, listen, publish } = start()
  const first = listen('wallet')
  mailbox.subscribe(first.listener, topic)
  publish('hello')
  const again = listen('wallet')
  mailbox.subscribe(again.listener, topic)
  expect(again.texts()).toEqual(['hello'])
  first.got[0]?.acknowledgedBy.add('wallet')
  const third = listen('wallet')
  mailbox.subscribe(third.listener, topic)
  expect(third.texts()).toEqual([])
  expect(mailbox.waiting('wallet', [topic])).toEqual([])
  expect(mailbox.waiting('other', [topic])).toHaveLength(1)
})

test('a client that disconnected or unsubscribed receives nothing', () => {
  const { mailbox, listen, publish } = start()
  const [left, deaf] = [listen('left'), listen('deaf')]
  mailbox.subscribe(left.listener, topic)
  mailbox.subscribe(deaf.listener, topic)
  mailbox.leave(left.listener)
  mailbox.unsubscribe(deaf.listener, topic)
  publish('hello')
  expect([...left.got, ...deaf.got]).toEqual([])
  expect(mailbox.counts()).toEqual({ published: 1, kept: 1, subscriptions: 0 })
})

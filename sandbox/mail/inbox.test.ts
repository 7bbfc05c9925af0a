import { describe, expect, test } from 'vitest'
import { createInbox } from './inbox.ts'
import type { Mail } from './message.ts'

const mail = (to: string, subject = 'Hello', bytes = 10): Mail => ({
  from: 'app@example.com',
  to: [to],
  subject,
  text: '',
  html: null,
  headers: [],
  attachments: [],
  raw: new Uint8Array(bytes),
})

const clock = { now: () => 1_700_000_000_000 }
const never = new AbortController().signal
const subjects = (messages: readonly { subject: string }[]) => messages.map(({ subject }) => subject)

describe('list', () => {
  test('lists the messages for an address newest first, ignoring case', () => {
    const inbox = createInbox(clock)
    inbox.add(mail('ann@example.com', 'one'))
    inbox.add(mail('bob@example.com', 'two'))
    inbox.add(mail('ann@example.com', 'three'))
    expect(subjects(inbox.list({ to: 'Ann@Example.com' }))).toEqual(['three', 'one'])
    expect(subjects(inbox.list({ limit: 2 }))).toEqual(['three', 'two'])
  })

  test('stores only the latest messages', () => {
    const inbox = createInbox(clock, { messages: 1_000, bytes: 1_000_000 })
    for (let index = 0; index < 1_005; index += 1) inbox.add(mail('ann@example.com', String(index)))
    expect(inbox.list()).toHaveLength(1_000)
    expect(inbox.list().at(-1)?.subject).toBe('5')
  })

  test('drops the oldest messages over the byte limit, but never the newest', () => {
    const inbox = createInbox(clock, { messages: 10, bytes: 100 })
    for (const subject of ['a', 'b', 'c']) inbox.add(mail('ann@example.com', subject, 40))
    expect(subjects(inbox.list())).toEqual(['c', 'b'])
    inbox.add(mail('ann@example.com', 'huge', 500))
    expect(subjects(inbox.list())).toEqual(['huge'])
  })
})

describe('next', () => {
  test('resolves with the oldest message after the cursor', async () => {
    const inbox = createInbox(clock)
    const first = inbox.add(mail('ann@example.com', 'one'))
    inbox.add(mail('ann@example.com', 'two'))
    inbox.add(mail('ann@example.com', 'three'))
    const found = await inbox.next({ to: 'ann@example.com', after: first.cursor, signal: never })
    expect(found?.subject).toBe('two')
  })

  test('waits for a message to this address', async () => {
    const inbox = createInbox(clock)
    const waiting = inbox.next({ to: 'ann@example.com', signal: never })
    inbox.add(mail('bob@example.com', 'not hers'))
    inbox.add(mail('ann@example.com', 'hers'))
    expect((await waiting)?.subject).toBe('hers')
  })

  test('resolves with undefined when its signal aborts', async () => {
    const inbox = createInbox(clock)
    const stop = new AbortController()
    const waiting = inbox.next({ signal: stop.signal })
    stop.abort()
    expect(await waiting).toBeUndefined()
  })
})

test('a cursor of an earlier run precedes every later message', () => {
  const earlier = createInbox({ now: () => 1_000_000 })
  for (let index = 0; index < 50; index += 1) earlier.add(mail('ann@example.com'))
  const later = createInbox({ now: () => 1_060_000 })
  expect(later.cursor()).toBeGreaterThan(earlier.cursor())
})

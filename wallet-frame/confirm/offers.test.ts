/** Which pages may request an approval from the vault, for which digests, and how often. */
import { LatchkeyError } from '@latchkey/protocol'
import type { Channel } from '@latchkey/protocol/channel'
import { describe, expect, test } from 'vitest'
import { createOpenedPages, type OpenedPagesPorts } from '../pages/handshake/opened-pages.ts'
import { openedPageFacts } from '../pages/testing/opened-page.facts.ts'
import { testClock } from '../testing/clock.ts'
import { createOffers, type OfferPorts } from './offers.ts'

const appId = 'a'.repeat(25)
const origin = 'https://wallet.example'
const handle = 'h'.repeat(43)
const digest = `0x${'d1'.repeat(32)}`
const offered = { userId: 'user_1', handle, digest }
type Message = Parameters<Parameters<OpenedPagesPorts['onMessage']>[0]>[0]
type Request = () => { handle: string }
type Approve = (data: { digest: string }, context: { signal: AbortSignal }) => Promise<unknown>

function open() {
  const clock = testClock()
  const asked: unknown[] = []
  const vault = { refusal: undefined as Error | undefined }
  const channels: {
    side: string
    target: unknown
    approve: Approve
    request: Request
    isOpen: boolean
  }[] = []
  let listener: (message: Message) => void = () => {}
  const opened = createOpenedPages({
    origin,
    onMessage: (run) => {
      listener = run
    },
    openChannel: ((options: {
      side: string
      target: unknown
      handlers: { approve: Approve; request: Request }
    }) => {
      const channel = { side: options.side, target: options.target, ...options.handlers, isOpen: true }
      channels.push(channel)
      return {
        destroy: () => {
          channel.isOpen = false
        },
      } as unknown as Channel<never>
    }) as unknown as OpenedPagesPorts['openChannel'],
  })
  const offers = createOffers({
    appId,
    clock,
    opened,
    vault: {
      async call(name: string, input: unknown) {
        asked.push([name, input])
        if (vault.refusal) throw vault.refusal
        return { statement: 'signed' }
      },
    } as unknown as OfferPorts['vault'],
  })

  /** Posts a hello from a window. Returns the responses. */
  function sayHello({ handle: own = handle } = {}) {
    const told: unknown[] = []
    const page: object = {
      location: { pathname: `/apps/${appId}/confirm` },
      postMessage: (data: unknown, options: unknown) => told.push([data, options]),
      get top() {
        return page
      },
    }
    listener({ data: { type: 'latchkey:page:hello', handle: own }, origin, source: page as Window })
    return told
  }
  const approve = (shown = digest, at = 0) =>
    channels[at]?.approve({ digest: shown }, { signal: new AbortController().signal })
  return {
    offers,
    clock,
    asked,
    vault,
    channels,
    sayHello,
    approve,
  }
}

describe('the confirmation page', () => {
  openedPageFacts({
    path: 'confirm',
    create(side) {
      const offers = createOffers({
        ...side,
        clock: testClock(),
        vault: { call: () => expect.unreachable() } as unknown as OfferPorts['vault'],
      })
      return { wait: (name) => offers.offer({ ...offered, handle: name }), end: offers.end }
    },
  })
})

test('answers the page of an offered request once, and lets the vault approve the offered digest', async () => {
  const { offers, sayHello, channels, approve, asked } = open()
  offers.offer(offered)
  expect(sayHello()).toEqual([[{ type: 'latchkey:page:here', handle }, { targetOrigin: origin }]])
  expect(sayHello()).toEqual([])
  expect(channels).toHaveLength(1)
  expect(channels[0]).toMatchObject({ side: 'parent', target: { origin } })
  expect(await approve()).toEqual({ statement: 'signed' })
  expect(asked).toEqual([['approve', { appId, userId: 'user_1', handle, digest }]])
  await expect(approve()).rejects.toMatchObject({ code: 'not_found' })
  expect(asked).toHaveLength(1)
})

test('rejects another digest than the offered one, and keeps the request open', async () => {
  const { offers, sayHello, approve, asked } = open()
  offers.offer(offered)
  sayHello()
  await expect(approve(`0x${'0'.repeat(64)}`)).rejects.toMatchObject({ code: 'invalid_data' })
  expect(asked).toEqual([])
  expect(await approve()).toEqual({ statement: 'signed' })
})

test('rejects approvals of a cancelled offer and closes the channel to its page', async () => {
  const { offers, sayHello, channels, approve, asked } = open()
  offers.offer(offered)
  sayHello()
  offers.end(handle)
  expect(channels[0]?.isOpen).toBe(false)
  await expect(approve()).rejects.toMatchObject({ code: 'not_found' })
  expect(sayHello()).toEqual([])
  expect(asked).toEqual([])
})

test('leaves no timer after a cancelled offer', () => {
  const { offers, clock } = open()
  offers.offer(offered)
  expect(clock.timers()).toBe(1)
  offers.end(handle)
  expect(clock.timers()).toBe(0)
})

test('allows another approval after the vault failed to sign', async () => {
  const { offers, sayHello, approve, vault } = open()
  offers.offer(offered)
  sayHello()
  vault.refusal = new LatchkeyError('device_not_bound', 'No key')
  await expect(approve()).rejects.toMatchObject({ code: 'device_not_bound' })
  vault.refusal = undefined
  expect(await approve()).toEqual({ statement: 'signed' })
})

test('ends an offer after five minutes, or with a new offer of the same handle', () => {
  const { offers, sayHello, channels, clock } = open()
  offers.offer(offered)
  sayHello()
  offers.offer(offered)
  expect(channels[0]?.isOpen).toBe(false)
  expect(sayHello()).toHaveLength(1)
  clock.advance(299_999)
  expect(channels[1]?.isOpen).toBe(true)
  clock.advance(1)
  expect(channels[1]?.isOpen).toBe(false)
  expect(clock.timers()).toBe(0)
})

describe('a page that the host opened during the click', () => {
  const window = 'n'.repeat(43)

  test("connects by the host's name, receives the handle, and approves the offered digest", async () => {
    const { offers, sayHello, channels, approve, asked } = open()
    offers.offer({ ...offered, window })
    expect(sayHello({ handle: window })).toEqual([
      [{ type: 'latchkey:page:here', handle: window }, { targetOrigin: origin }],
    ])
    expect(channels[0]?.request()).toEqual({ handle })
    expect(await approve()).toEqual({ statement: 'signed' })
    expect(asked).toEqual([['approve', { appId, userId: 'user_1', handle, digest }]])
  })

  test('approves only once if two pages connect', async () => {
    const { offers, sayHello, approve } = open()
    offers.offer({ ...offered, window })
    expect(sayHello({ handle: window })).toHaveLength(1)
    expect(sayHello({ handle: window })).toEqual([])
    expect(sayHello()).toHaveLength(1)
    expect(await approve(digest, 1)).toEqual({ statement: 'signed' })
    await expect(approve(digest, 0)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('is ignored before an offer with its name and after its end', () => {
    const { offers, sayHello, channels } = open()
    offers.offer(offered)
    expect(sayHello({ handle: window })).toEqual([])
    offers.offer({ ...offered, window })
    expect(sayHello({ handle: window })).toHaveLength(1)
    offers.end(handle)
    expect(channels.at(-1)?.isOpen).toBe(false)
    expect(sayHello({ handle: window })).toEqual([])
  })
})

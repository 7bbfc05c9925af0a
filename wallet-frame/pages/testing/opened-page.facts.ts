/**
 * Shared tests of the frame's side of each top-level page: which window is answered, how often, over which
 * channel, and until when.
 */
import type { openChannel } from '@latchkey/protocol/channel'
import { describe, expect, test } from 'vitest'
import { createOpenedPages, type OpenedPages, type OpenedPagesPorts } from '../handshake/opened-pages.ts'

/** The ports with which the frame's side of a page is created. */
export type FrameSide = {
  appId: string
  origin: string
  opened: OpenedPages
}
export type OpenedPage = {
  /** The page's path, after that of the app. */
  path: string
  /** Creates the frame's side of the page. */
  create: (side: FrameSide) => {
    /** Waits for the page with this handle. The tests do not settle its promise. */
    wait: (handle: string) => void
    end: (handle: string) => void
  }
}

const appId = 'a'.repeat(25)
const origin = 'https://wallet.example'
const handle = 'h'.repeat(43)
type Message = Parameters<Parameters<OpenedPagesPorts['onMessage']>[0]>[0]
type Channel = {
  options: { side: string; target: object }
  isOpen: boolean
}

function setUp({ path, create }: OpenedPage) {
  const channels: Channel[] = []
  const listeners: ((message: Message) => void)[] = []
  const side = create({
    appId,
    origin,
    opened: createOpenedPages({
      origin,
      onMessage: (listener) => listeners.push(listener),
      openChannel: ((options: Channel['options']) => {
        const channel = { options, isOpen: true }
        channels.push(channel)
        return {
          ready: Promise.resolve(),
          call: () => Promise.resolve({}),
          destroy: () => {
            channel.isOpen = false
          },
        }
      }) as unknown as typeof openChannel,
    }),
  })
  const receive = (message: Message) => {
    for (const listener of listeners) listener(message)
  }

  /** Posts a hello from a window. Returns the responses. */
  function sayHello(change: { origin?: string; handle?: string; path?: string; isFramed?: boolean } = {}) {
    const told: unknown[] = []
    const page: object = {
      location: { pathname: change.path ?? `/apps/${appId}/${path}` },
      postMessage: (data: unknown, options: unknown) => told.push([data, options]),
      get top() {
        return change.isFramed ? {} : page
      },
    }
    const data = { type: 'latchkey:page:hello', handle: change.handle ?? handle }
    receive({ data, origin: change.origin ?? origin, source: page as Window })
    return { page, told }
  }
  return { ...side, channels, receive, sayHello }
}

export function openedPageFacts(page: OpenedPage) {
  const other = page.path === 'confirm' ? 'recovery' : 'confirm'

  describe('the window of the page', () => {
    test('is answered once, over a channel to that window and this origin only', () => {
      const { wait, sayHello, channels } = setUp(page)
      wait(handle)
      const first = sayHello()
      expect(first.told).toEqual([[{ type: 'latchkey:page:here', handle }, { targetOrigin: origin }]])
      expect(channels.map(({ options }) => options)).toMatchObject([{ side: 'parent', target: { origin } }])
      expect(Reflect.get(channels[0]?.options.target ?? {}, 'window')).toBe(first.page)
      expect(sayHello().told).toEqual([])
      expect(channels).toHaveLength(1)
    })

    test.each([
      ['of another origin', { origin: 'https://dialog.example' }],
      ['with another handle', { handle: 'x'.repeat(43) }],
      ['with no handle at all', { handle: '' }],
      ['in a frame', { isFramed: true }],
      ['at another address', { path: `/apps/${appId}/${other}` }],
      ['of another app', { path: `/apps/${'b'.repeat(25)}/${page.path}` }],
    ])('is ignored %s', (_name, change) => {
      const { wait, sayHello, channels } = setUp(page)
      wait(handle)
      expect(sayHello(change).told).toEqual([])
      expect(channels).toEqual([])
      expect(sayHello().told).toHaveLength(1)
    })

    test('is ignored if it hides its location, as are other messages', () => {
      const { wait, sayHello, receive, channels } = setUp(page)
      wait(handle)
      const stranger = {
        get top() {
          throw new DOMException('Blocked', 'SecurityError')
        },
      }
      const hello = { type: 'latchkey:page:hello', handle }
      receive({ data: hello, origin, source: stranger as unknown as Window })
      receive({ data: hello, origin, source: null })
      for (const data of [null, 'hello', { type: 'latchkey:page:here', handle }, { handle }]) {
        receive({ data, origin, source: {} as Window })
      }
      expect(channels).toEqual([])
      expect(sayHello().told).toHaveLength(1)
    })

    test('is ignored if it is not expected', () => {
      const { sayHello, channels } = setUp(page)
      expect(sayHello().told).toEqual([])
      expect(channels).toEqual([])
    })

    test('is disconnected when it is ended, and its handle is not accepted again', () => {
      const { wait, end, sayHello, channels } = setUp(page)
      wait(handle)
      sayHello()
      expect(channels[0]?.isOpen).toBe(true)
      end(handle)
      expect(channels[0]?.isOpen).toBe(false)
      expect(sayHello().told).toEqual([])
    })

    test('is ignored if it opens after the end', () => {
      const { wait, end, sayHello, channels } = setUp(page)
      wait(handle)
      end(handle)
      expect(sayHello().told).toEqual([])
      expect(channels).toEqual([])
    })

    test('may be ended without harm if it never existed', () => {
      const { end, wait, sayHello } = setUp(page)
      expect(() => end(handle)).not.toThrow()
      wait(handle)
      expect(sayHello().told).toHaveLength(1)
    })
  })
}

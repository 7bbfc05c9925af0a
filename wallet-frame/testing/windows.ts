/** Windows of the wallet origin that find a frame by their handle, for tests without a browser. */
import type { OperationStep } from '@latchkey/protocol/wallet'
import type { OpenedPagesPorts } from '../pages/handshake/opened-pages.ts'

type Hear = Parameters<OpenedPagesPorts['onMessage']>[0]
type Sealing = (to: { vaultKey: string; operation: OperationStep }) => Promise<object>
type Options = {
  side: string
  target: object
  handlers: object
  onClose?: ((error: never) => void) | undefined
}
/** The frame's handlers, as the window calls them. */
type Frame = {
  begin: (data: object) => unknown
  give: (data: object) => Promise<{ type: string }>
  address: (data: object, context: { signal: AbortSignal }) => Promise<unknown>
  refuse: (data: { code: string }) => unknown
}

export type TestWindow = {
  frame: Frame
  /** The outcome of the last input, as the frame reports it. */
  outcomes: unknown[]
  confirmed: string[]
  give: (given?: object) => Promise<unknown>
  close: () => void
  isOpen: () => boolean
}

const origin = 'https://wallet.example'

export function testWindows() {
  const hearing: Hear[] = []
  const sealings = new Map<unknown, { seal: Sealing; confirmed: string[] }>()
  const opened = new Map<unknown, { options: Options; isOpen: boolean }>()
  let handles = 0

  /** A channel with the interface of the one that `openChannel` opens. */
  function channel(options: Options) {
    if (options.side !== 'parent') throw new Error('The frame waits for the window to speak first')
    const window: unknown = Reflect.get(options.target, 'window')
    const mine = { options, isOpen: true, refuses: made.refuses }
    opened.set(window, mine)
    return {
      ready: Promise.resolve(),
      async call(name: string, data: { digest: string } & Parameters<Sealing>[0], how?: object) {
        const asked = sealings.get(window)
        made.calls.push([name, data, how])
        if (name === 'seal' || name === 'fromCloud') return asked?.seal(data)
        if (mine.refuses) throw mine.refuses
        asked?.confirmed.push(data.digest)
        return {}
      },
      destroy() {
        mine.isOpen = false
      },
    }
  }

  /** Posts hello until the frame answers. */
  async function meet(handle: string, path: string, seal: Sealing): Promise<TestWindow> {
    let isHere = false
    const page: object = {
      location: { pathname: path },
      postMessage: () => {
        isHere = true
      },
      get top() {
        return page
      },
    }
    const confirmed: string[] = []
    sealings.set(page, { seal, confirmed })
    while (!isHere) {
      const data = { type: 'latchkey:page:hello', handle }
      for (const listener of hearing) listener({ data, origin, source: page as Window })
      await new Promise((resolve) => setImmediate(resolve))
    }
    const mine = opened.get(page)
    if (!mine) throw new Error('The frame opened no channel')
    const frame = mine.options.handlers as Frame
    const outcomes: unknown[] = []
    return {
      frame,
      outcomes,
      confirmed,
      give(given = {}) {
        const answered = frame.give(given)
        answered.then(
          (outcome) => outcomes.push(outcome),
          () => {},
        )
        return answered
      },
      close: () => mine.options.onClose?.(undefined as never),
      isOpen: () => mine.isOpen,
    }
  }

  const made = {
    /** The frame's calls to windows. */
    calls: [] as unknown[],
    /** The error with which the next window refuses an approval, if any. */
    refuses: undefined as Error | undefined,
    own: { origin, onMessage: (listener: Hear) => hearing.push(listener) },
    channel,
    newHandle: () => String(++handles).padStart(43, 'w'),
    meet,
    /** Connects to the frame and submits the input. */
    async open(handle: string, path: string, seal: Sealing): Promise<TestWindow> {
      const window = await meet(handle, path, seal)
      window.give().catch(() => {})
      return window
    },
  }
  return made
}

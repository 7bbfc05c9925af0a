import { LatchkeyError } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { testClock } from '../../testing/clock.ts'
import { findFrame, findFramesBelow } from './find-frame.ts'

const appId = 'a'.repeat(25)
const origin = 'https://wallet.example'
const path = `/apps/${appId}/embedded-wallets`
const handle = 'h'.repeat(43)

/** A window as another origin sees it: its frames, and no URL. */
const foreign = (...frames: readonly object[]): Window =>
  Object.defineProperty({ ...frames, length: frames.length }, 'location', {
    get() {
      throw new DOMException('Blocked', 'SecurityError')
    },
  }) as unknown as Window
const own = (pathname: string, heard: unknown[] = []): Window =>
  ({
    length: 0,
    location: { origin, pathname },
    postMessage: (data: unknown, options: unknown) => heard.push([data, options]),
  }) as unknown as Window

test('finds the wallet frame below the opener, at any depth', () => {
  const frame = own(path)
  for (const root of [frame, foreign(frame), foreign(foreign(), foreign(foreign(frame)))]) {
    expect(findFramesBelow([root], path, origin)).toEqual([frame])
  }
})

test('skips frames of other origins, other apps and other paths', () => {
  const other = own(`/apps/${'b'.repeat(25)}/embedded-wallets`)
  expect(findFramesBelow([foreign(foreign(), other, own(`${path}/export`))], path, origin)).toEqual([])
  expect(findFramesBelow([foreign(own(path))], path, 'https://other.example')).toEqual([])
})

test('visits windows that frame each other once', () => {
  const frame = own(path)
  const root = foreign(foreign(), frame)
  const inner: object = root[0] as object
  Object.assign(inner, { length: 1, 0: root })
  expect(findFramesBelow([root, root], path, origin)).toEqual([frame])
})

test('visits at most 200 windows of an endless tree', () => {
  const chain = (depth: number, end: object) =>
    Array.from({ length: depth }).reduce<object>((below) => foreign(below), end) as Window
  const frame = own(path)
  expect(findFramesBelow([chain(199, frame)], path, origin)).toEqual([frame])
  expect(findFramesBelow([chain(200, frame)], path, origin)).toEqual([])
})

function look(frames: readonly object[], top: object | null = null) {
  const clock = testClock()
  let hear: (message: object) => void = () => {}
  let isListening = true
  const page = {
    location: { origin },
    addEventListener(name: string, run: typeof hear, { signal }: { signal: AbortSignal }) {
      if (name === 'message') hear = run
      signal.addEventListener('abort', () => {
        isListening = false
      })
    },
  }
  const leaving = new AbortController()
  const opener = Object.assign(foreign(...frames), { top })
  const found = findFrame({
    window: page as unknown as Window,
    opener,
    appId,
    handle,
    clock,
    signal: leaving.signal,
  })
  const here = { type: 'latchkey:page:here', handle }
  return {
    clock,
    found,
    leaving,
    say: (message: object) => hear({ data: here, origin, ...message }),
    listens: () => isListening,
  }
}

test('posts hello to each frame five times a second, until one with the request answers', async () => {
  const [heard, other]: [unknown[], unknown[]] = [[], []]
  const [frame, twin] = [own(path, heard), own(path, other)]
  const { clock, found, say, listens } = look([twin, frame])
  const hello = [{ type: 'latchkey:page:hello', handle }, { targetOrigin: origin }]
  clock.advance(200)
  clock.advance(200)
  expect([heard, other]).toEqual([
    [hello, hello, hello],
    [hello, hello, hello],
  ])
  say({ source: frame })
  expect(await found).toBe(frame)
  clock.advance(1_000)
  expect(heard).toHaveLength(3)
  expect([listens(), clock.timers()]).toEqual([false, 0])
})

test('ignores an answer of another origin, another window, or for another request', async () => {
  const [frame, twin] = [own(path), own(path)]
  const { found, say } = look([twin, frame])
  say({ source: twin, origin: 'https://dialog.example' })
  say({ source: own(path) })
  say({ source: twin, data: { type: 'latchkey:page:here', handle: 'x'.repeat(43) } })
  say({ source: frame })
  expect(await found).toBe(frame)
})

test('finds a frame next to the opener, in the same window', async () => {
  const frame = own(path)
  const { found, say } = look([], foreign(foreign(), frame))
  say({ source: frame })
  expect(await found).toBe(frame)
})

test('stops searching when the page aborts', async () => {
  const { found, leaving, listens, clock } = look([own(path)])
  leaving.abort(new LatchkeyError('frame_unresponsive', 'Nobody'))
  await expect(found).rejects.toMatchObject({ code: 'frame_unresponsive' })
  expect([listens(), clock.timers()]).toEqual([false, 0])
})

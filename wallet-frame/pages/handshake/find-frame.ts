/**
 * Finds the wallet frame of the dialog that opened this page, below the opener or its top window. Windows of
 * other origins reveal only the number of their frames.
 */
import { untilAborted } from '../../abort.ts'
import type { Clock } from '../../clock.ts'
import { createHello, pageMessages, parseHandle } from './hello.ts'
import { framePath } from './siblings.ts'

const MOST_WINDOWS = 200
const HELLO_AGAIN_MS = 200

/** A window as visible across origins. */
type Tree = { length: number; [at: number]: Tree | undefined }

/** Finds the windows of the wallet origin with this path. */
export function findFramesBelow(roots: readonly Window[], path: string, origin: string): readonly Window[] {
  const windows: Tree[] = [...new Set<Tree>(roots as unknown as Tree[])]
  for (let at = 0; at < windows.length && windows.length < MOST_WINDOWS; at += 1) {
    const { length = 0 } = windows[at] ?? {}
    for (let frame = 0; frame < length; frame += 1) {
      const child = windows[at]?.[frame]
      if (child && !windows.includes(child)) windows.push(child)
    }
  }
  return (windows as unknown as Window[]).filter((one) => isAt(one, path, origin))
}

function isAt(one: Window, path: string, origin: string): boolean {
  try {
    return one.location.origin === origin && one.location.pathname === path
  } catch {
    return false
  }
}

type FindOptions = {
  window: Window
  opener: Window
  appId: string
  handle: string
  clock: Clock
  signal: AbortSignal
}

/**
 * Finds the frame that expects this handle. Repeats the hello, because the dialog may offer the request a
 * moment later.
 */
export async function findFrame({
  window,
  opener,
  appId,
  handle,
  clock,
  signal,
}: FindOptions): Promise<Window> {
  const { origin } = window.location
  const over = new AbortController()
  const frameFound = new Promise<Window>((resolve) => {
    window.addEventListener(
      'message',
      ({ data, origin: from, source }) => {
        if (from !== origin || parseHandle(data, pageMessages.here) !== handle) return
        const frame = candidateFrames().find((one) => one === source)
        if (frame) resolve(frame)
      },
      { signal: over.signal },
    )
  })
  const candidateFrames = () => findFramesBelow([opener, opener.top ?? opener], framePath(appId), origin)
  let cancelRepeat = () => {}
  const sayHello = () => {
    for (const frame of candidateFrames()) frame.postMessage(createHello(handle), { targetOrigin: origin })
    cancelRepeat = clock.after(HELLO_AGAIN_MS, sayHello)
  }
  sayHello()
  try {
    return await untilAborted(frameFound, signal)
  } finally {
    over.abort()
    cancelRepeat()
  }
}

/**
 * The wallet frame of the dialog that opened this page: it is somewhere below whoever opened it, or above that. Windows
 * of other origins show how many frames they have, and nothing else.
 */
import { untilAborted } from '../../abort.ts'
import type { Clock } from '../../clock.ts'
import { handleIn, helloOf, pageMessages } from './hello.ts'
import { framePath } from './siblings.ts'

const MOST_WINDOWS = 200
const HELLO_AGAIN_MS = 200

/** A window as it shows itself across origins. */
type Tree = { length: number; [at: number]: Tree | undefined }

/** Finds the windows of the wallet's origin that hold a frame of this app. */
export function framesBelow(roots: readonly Window[], path: string, origin: string): readonly Window[] {
  const windows: Tree[] = [...new Set<Tree>(roots as unknown as Tree[])]
  for (let at = 0; at < windows.length && windows.length < MOST_WINDOWS; at += 1) {
    const { length = 0 } = windows[at] ?? {}
    for (let frame = 0; frame < length; frame += 1) {
      const found = windows[at]?.[frame]
      if (found && !windows.includes(found)) windows.push(found)
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

type Looking = {
  window: Window
  opener: Window
  appId: string
  handle: string
  clock: Clock
  signal: AbortSignal
}

/** The one that has this request. The dialog may offer it a moment after it opened the page, so it is asked again. */
export async function findFrame({ window, opener, appId, handle, clock, signal }: Looking): Promise<Window> {
  const { origin } = window.location
  const over = new AbortController()
  const found = new Promise<Window>((resolve) => {
    window.addEventListener(
      'message',
      ({ data, origin: from, source }) => {
        if (from !== origin || handleIn(data, pageMessages.here) !== handle) return
        const frame = candidateFrames().find((one) => one === source)
        if (frame) resolve(frame)
      },
      { signal: over.signal },
    )
  })
  const candidateFrames = () => framesBelow([opener, opener.top ?? opener], framePath(appId), origin)
  let callOff = () => {}
  const sayHello = () => {
    for (const frame of candidateFrames()) frame.postMessage(helloOf(handle), { targetOrigin: origin })
    callOff = clock.after(HELLO_AGAIN_MS, sayHello)
  }
  sayHello()
  try {
    return await untilAborted(found, signal)
  } finally {
    over.abort()
    callOff()
  }
}

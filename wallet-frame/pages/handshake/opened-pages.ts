/** The frame's side of `hello.ts`: which pages it waits for, each for one page with its handle, and once. */
import { handleIn, hereOf, pageMessages } from './hello.ts'

type Expected = {
  path: string
  connect: (page: Window) => { destroy: () => void }
  page?: { destroy: () => void }
}

export type OpenedPagesPorts = {
  /** Listens to the messages to this window. */
  onMessage: (listener: (message: Pick<MessageEvent, 'data' | 'origin' | 'source'>) => void) => void
  origin: string
}

export type OpenedPages = {
  /** Opens a channel to the page of this path that says hello with this handle. */
  expect: (handle: string, path: string, connect: Expected['connect']) => void
  /** Closes the channel of a window that nobody waits for any more. */
  forget: (handle: string) => void
}

export function createOpenedPages({ onMessage, origin }: OpenedPagesPorts): OpenedPages {
  const expected = new Map<string, Expected>()

  onMessage(({ data, origin: from, source }) => {
    if (from !== origin) return
    const handle = handleIn(data, pageMessages.hello)
    const page = handle === undefined ? undefined : expected.get(handle)
    if (handle === undefined || !page || page.page || !isAtTop(source, page.path)) return
    page.page = page.connect(source)
    source.postMessage(hereOf(handle), { targetOrigin: origin })
  })

  return {
    expect(handle, path, connect) {
      expected.set(handle, { path, connect })
    },
    forget(handle) {
      const page = expected.get(handle)
      expected.delete(handle)
      page?.page?.destroy()
    },
  }
}

/** True if the source is at the top of its window and is that page; a window of another origin shows neither. */
function isAtTop(source: MessageEventSource | null, path: string): source is Window {
  try {
    const page = source as Window | null
    return page !== null && page.top === page && page.location.pathname === path
  } catch {
    return false
  }
}

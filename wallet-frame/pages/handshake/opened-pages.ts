/** The frame's side of `hello.ts`: the pages that it expects, each with one handle and one connection. */
import { createHere, pageMessages, parseHandle } from './hello.ts'

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
  /** Opens a channel to the first page of this path that says hello with this handle. */
  expect: (handle: string, path: string, connect: Expected['connect']) => void
  /** Closes the channel of a page that is no longer expected. */
  forget: (handle: string) => void
}

export function createOpenedPages({ onMessage, origin }: OpenedPagesPorts): OpenedPages {
  const expected = new Map<string, Expected>()

  onMessage(({ data, origin: from, source }) => {
    if (from !== origin) return
    const handle = parseHandle(data, pageMessages.hello)
    const page = handle === undefined ? undefined : expected.get(handle)
    if (handle === undefined || !page || page.page || !isAtTop(source, page.path)) return
    page.page = page.connect(source)
    source.postMessage(createHere(handle), { targetOrigin: origin })
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

/**
 * Returns whether the source is a top-level window at this path. A window of another origin reveals neither.
 */
function isAtTop(source: MessageEventSource | null, path: string): source is Window {
  try {
    const page = source as Window | null
    return page !== null && page.top === page && page.location.pathname === path
  } catch {
    return false
  }
}

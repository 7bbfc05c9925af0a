/** The frame's side of `hello.ts`: the pages that it expects, each with one handle and one channel. */
import { LatchkeyError } from '@latchkey/protocol'
import type {
  Calls,
  Channel,
  ChannelOptions,
  openChannel,
  ReceivedMessages,
  ServedBy,
} from '@latchkey/protocol/channel'
import { createHere, pageMessages, parseHandle } from './hello.ts'

type PageOptions<Own extends ReceivedMessages, Page extends ReceivedMessages> = Pick<
  ChannelOptions<Own, Page>,
  'contract' | 'receives' | 'handlers'
> & {
  path: string
  /** The user closed the page, or it navigated away. */
  onClose?: () => void
}

/** A page that the frame expects, or that has said hello. */
export type OpenedPage<Remote extends Calls> = {
  isOpen: () => boolean
  /** Calls the page. Rejects with `not_found` before its hello, and with `user_rejected_request` if the user closes it. */
  call: Channel<Remote>['call']
}

export type OpenedPagesPorts = {
  /** Listens to the messages to this window. */
  onMessage: (listener: (message: Pick<MessageEvent, 'data' | 'origin' | 'source'>) => void) => void
  origin: string
  openChannel: typeof openChannel
}

export type OpenedPages = {
  /** Opens a channel to the first page of this path that says hello with this handle. */
  expect: <const Own extends ReceivedMessages, const Page extends ReceivedMessages>(
    handle: string,
    options: PageOptions<Own, Page>,
  ) => OpenedPage<ServedBy<Page, Own>>
  /** Closes the channel of a page that is no longer expected. */
  forget: (handle: string) => void
}

type Expected = { path: string; connect: (page: Window) => void; channel?: { destroy: () => void } }

export function createOpenedPages({ onMessage, origin, openChannel }: OpenedPagesPorts): OpenedPages {
  const expected = new Map<string, Expected>()

  onMessage(({ data, origin: from, source }) => {
    if (from !== origin) return
    const handle = parseHandle(data, pageMessages.hello)
    const page = handle === undefined ? undefined : expected.get(handle)
    if (handle === undefined || !page || page.channel || !isAtTop(source, page.path)) return
    page.connect(source)
    source.postMessage(createHere(handle), { targetOrigin: origin })
  })

  return {
    expect<Own extends ReceivedMessages, Page extends ReceivedMessages>(
      handle: string,
      { path, onClose, ...options }: PageOptions<Own, Page>,
    ) {
      let channel: Channel<ServedBy<Page, Own>> | undefined
      const page: Expected = {
        path,
        connect(window) {
          channel = openChannel<Own, Page>({
            ...options,
            side: 'parent',
            target: { window, origin },
            ...(onClose && { onClose }),
          })
          page.channel = channel
        },
      }
      expected.set(handle, page)
      return {
        isOpen: () => channel !== undefined,
        async call(...call) {
          if (!channel) throw new LatchkeyError('not_found', 'No such window is open')
          try {
            return await channel.call(...call)
          } catch (error) {
            throw error instanceof LatchkeyError && goneCodes.has(error.code) ? closedByUser() : error
          }
        },
      }
    },
    forget(handle) {
      const page = expected.get(handle)
      expected.delete(handle)
      page?.channel?.destroy()
    },
  }
}

const goneCodes: ReadonlySet<string> = new Set(['channel_closed', 'frame_reloaded', 'frame_unresponsive'])

export const closedByUser = () => new LatchkeyError('user_rejected_request', 'The window was closed')

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

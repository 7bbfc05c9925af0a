/**
 * The card shows the top of the stack. It opens with the first loaded screen and closes after the last one. While a
 * component loads, the present screen stays visible.
 */
import { dialogLimits, type LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import type { Clock, FrameHost } from '../browser/ports.ts'
import type { Place } from './place.ts'
import { noWay, type ShownScreen, type Ways } from './screen.ts'
import { closedView, type View } from './view.ts'

/** The content that a place shows. The same place and arrival count mean the same screen in another state. */
export type CardContent = {
  place: Place
  arrivals: number
  screen: ShownScreen
  covered: readonly ShownScreen[]
  direction: View['direction']
  header: Ways
  held: boolean
}

export type ScreenLoading = {
  isLoaded: (screen: ShownScreen) => boolean
  load: (screen: ShownScreen) => Promise<unknown>
}

export type Card = {
  show: (content: CardContent) => void
  /** Keeps the card open for a moment, until the next flow shows its first screen. */
  awaitNext: () => void
  close: () => void
  /** Hides the card to reveal the host page. The returned function shows it again. */
  stepAside: () => () => void
  /** Returns whether the card shows this screen of the place. */
  isShowing: (place: Place, arrivals: number) => boolean
}

export type CardPorts = {
  clock: Clock
  host: FrameHost
  standalone: boolean
  loading: ScreenLoading
  setView: (view: View) => void
  opened: (place: Place) => void
  closed: () => void
  /** Called if the host cannot show the frame. */
  lost: (error: LatchkeyError) => void
}

export function createCard(ports: CardPorts): Card {
  const { clock, host, standalone, loading } = ports
  let status: 'closed' | 'open' | 'closing' = 'closed'
  let shownContent: CardContent | undefined
  let pendingContent: CardContent | undefined
  let view: View = { ...closedView, open: standalone, shown: standalone, standalone }
  let stopAwaiting = () => {}

  const isSame = (one: CardContent | undefined, other: CardContent) =>
    one?.place === other.place && one.arrivals === other.arrivals

  function see(change: Partial<View>) {
    view = { ...view, ...change }
    ports.setView(view)
  }

  function show(content: CardContent) {
    // After the closing animation, `ports.closed` shows the top flow again.
    if (status === 'closing') return
    const isOnItsWay = isSame(pendingContent, content)
    pendingContent = content
    if (!loading.isLoaded(content.screen)) {
      // The card stays open while the component loads. A failed load ends the flow.
      stopAwaiting()
      see({ header: { back: false, close: content.header.close }, held: false })
      if (!isOnItsWay) load(content)
      return
    }
    draw(content)
  }

  function load(content: CardContent) {
    const ifStillWanted = (then: (latest: CardContent) => void) => {
      if (pendingContent && isSame(pendingContent, content)) then(pendingContent)
    }
    loading.load(content.screen).then(
      () => ifStillWanted(draw),
      (error: unknown) =>
        ifStillWanted(({ place }) =>
          place.fail(toLatchkeyError(error, 'server_unreachable', 'A screen could not be loaded')),
        ),
    )
  }

  function draw(content: CardContent) {
    stopAwaiting()
    pendingContent = undefined
    const isNew = !isSame(shownContent, content)
    shownContent = content
    const { screen, covered, direction, header, held } = content
    see({ open: true, screen, covered, header, held, ...(isNew && { step: view.step + 1, direction }) })
    ports.opened(content.place)
    if (status === 'open') return
    status = 'open'
    appear()
  }

  function appear() {
    host.show().then(
      () => status === 'open' && see({ shown: true }),
      (error: unknown) =>
        ports.lost(toLatchkeyError(error, 'channel_closed', 'The dialog could not be shown')),
    )
  }

  function close() {
    stopAwaiting()
    pendingContent = undefined
    shownContent = undefined
    if (status !== 'open') return
    status = 'closing'
    // The screen stays mounted during the closing animation.
    see({ open: standalone, shown: standalone, header: noWay, held: false })
    clock.after(dialogLimits.authFlowResetMs, () => {
      status = 'closed'
      see({ screen: undefined, covered: [] })
      host.hide()
      ports.closed()
    })
  }

  return {
    show,
    awaitNext() {
      if (status !== 'open') return
      see({ header: noWay, held: false })
      stopAwaiting()
      stopAwaiting = clock.after(dialogLimits.progressAfterMs, close)
    },
    close,
    stepAside() {
      if (status === 'open') host.hide()
      return () => {
        if (status === 'open') appear()
      }
    },
    isShowing: (place, arrivals) => shownContent?.place === place && shownContent.arrivals === arrivals,
  }
}

/**
 * The card: what is seen of the stack. It opens with the first screen that is ready and closes after the last; a
 * screen whose component is still on its way leaves the present one where it is.
 */
import { dialogLimits, type LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import type { Clock, FrameHost } from '../browser/ports.ts'
import type { Place } from './place.ts'
import { noWay, type ShownScreen, type Ways } from './screen.ts'
import { closedView, type View } from './view.ts'

/** What a place wants to have seen. The same place and number of arrivals is the same screen in another state. */
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
  /** Another flow has the card and has shown nothing yet: it gets a moment before the card closes. */
  awaitNext: () => void
  close: () => void
  /** Takes the card away as it is, for what the host's page is to show; the answer brings it back. */
  stepAside: () => () => void
  /** Whether what is seen is what this place has there now. */
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
  /** The window that the card is in can not be shown. */
  lost: (error: LatchkeyError) => void
}

export function createCard(ports: CardPorts): Card {
  const { clock, host, standalone, loading } = ports
  let status: 'closed' | 'open' | 'closing' = 'closed'
  let shown: CardContent | undefined
  let wanted: CardContent | undefined
  let view: View = { ...closedView, open: standalone, shown: standalone, standalone }
  let stopAwaiting = () => {}

  const isSame = (one: CardContent | undefined, other: CardContent) =>
    one?.place === other.place && one.arrivals === other.arrivals

  function see(change: Partial<View>) {
    view = { ...view, ...change }
    ports.setView(view)
  }

  function show(content: CardContent) {
    // It is looked at anew once the card has gone: nothing is on its way before.
    if (status === 'closing') return
    const isOnItsWay = isSame(wanted, content)
    wanted = content
    if (!loading.isLoaded(content.screen)) {
      // It will come, or end its flow: the card waits for it.
      stopAwaiting()
      see({ header: { back: false, close: content.header.close }, held: false })
      if (!isOnItsWay) load(content)
      return
    }
    draw(content)
  }

  function load(content: CardContent) {
    const ifStillWanted = (then: (latest: CardContent) => void) => {
      if (wanted && isSame(wanted, content)) then(wanted)
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
    wanted = undefined
    const isNew = !isSame(shown, content)
    shown = content
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
    wanted = undefined
    shown = undefined
    if (status !== 'open') return
    status = 'closing'
    // The screen stays while the card goes.
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
    isShowing: (place, arrivals) => shown?.place === place && shown.arrivals === arrivals,
  }
}

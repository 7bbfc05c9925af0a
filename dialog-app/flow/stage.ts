/**
 * One dialog and the flows on it. Flows stand on a stack: the first is somebody's call, and one above another
 * interrupts it. Calls that come meanwhile wait for their turn; the next one takes the card over from the one that
 * ends, without a close in between, or comes on top of one that only stands there to be looked at. A flow whose caller was told may hold its last screen to be read: the user skips
 * that, and a call that waits ends it.
 */
import { channelLimits, LatchkeyError } from '@latchkey/protocol'
import type { Analytics, Clock, FrameHost } from '../browser/ports.ts'
import { toAbortError } from '../browser/waiting.ts'
import { createCard, type ScreenLoading } from './card.ts'
import type { Flow } from './flow.ts'
import { createPlace, type Place } from './place.ts'
import type { ShownScreen, Ways } from './screen.ts'
import type { View } from './view.ts'

export type Stage = {
  /** Runs the flow when its turn has come. Aborting the signal ends it: nothing stays for a caller that is gone. */
  begin: <Outcome>(flow: Flow<Outcome>, signal?: AbortSignal) => Promise<Outcome>
  back: () => void
  /** The user has seen the screen that is held. */
  skip: () => void
  /** Closes the whole stack, where the screen that is seen allows it. */
  close: () => void
  stepAside: () => () => void
  /** The card is gone or can not be seen: everybody on the stack hears so. */
  lose: (error: LatchkeyError) => void
}

export type StagePorts = {
  clock: Clock
  host: FrameHost
  analytics: Analytics
  standalone: boolean
  loading: ScreenLoading
  setView: (view: View) => void
}

export function createStage(ports: StagePorts): Stage {
  const { clock, analytics, standalone } = ports
  const stack: Place[] = []
  const turns = createTurns<Place>()
  const interruptions = new Map<Place, Place[]>()
  const counted = new Set<Place>()
  /** The call that came on top of what only stands there. */
  let guest: Place | undefined
  let isUnwinding = false
  const card = createCard({ ...ports, opened: countOpening, closed, lost: lose })

  const top = () => stack.at(-1)

  function make<Outcome>(flow: Flow<Outcome>, isInterruption: boolean) {
    return createPlace(flow, {
      clock,
      isInterruption,
      changed: (place) => place === top() && look(),
      ending: (place) => closeAbove(place),
      ended: leave,
      settled: giveWay,
      isOnTop: (place) => place === top() && card.isShowing(place, place.navigation().arrivals),
      interrupt,
    })
  }

  function enter(place: Place) {
    stack.push(place)
    place.run()
  }

  function interrupt<Result>(under: Place, flow: Flow<Result>): Promise<Result> {
    const { place, outcome } = make(flow, true)
    if (stack.includes(under)) interruptions.set(under, [...(interruptions.get(under) ?? []), place])
    else place.close()
    startInterruption()
    return outcome
  }

  /** One at a time: whoever else interrupts the same flow comes after. */
  function startInterruption() {
    const under = top()
    const next = under && interruptions.get(under)?.shift()
    if (next) enter(next)
  }

  /** Shows what the flow on top has there. One that has nothing yet leaves what is seen. */
  function look(direction?: View['direction']) {
    const place = top()
    if (!place) return
    const { screen, arrivals, direction: own } = place.navigation()
    if (!screen) return
    const held = place.isHeld()
    card.show({
      place,
      arrivals,
      screen,
      covered: coveredBy(screen),
      direction: direction ?? own,
      header: waysOf(place),
      held,
    })
  }

  /** Returns the screens below this one that stay mounted, lowest first. */
  const coveredBy = (present: ShownScreen) =>
    stack
      .flatMap((place) => [...place.navigation().history, place.navigation().screen])
      .filter((screen) => screen !== undefined)
      .filter(({ id }) => id !== undefined && id !== present.id)

  function waysOf(place: Place): Ways {
    const { back, close } = place.navigation().screen?.ways ?? { back: false, close: true }
    return { back: back && place.canGoBack(), close: close && closable(place) !== undefined }
  }

  /** Whom a close of this one's screen ends: a page of its own has none of its first, but of whoever came on top. */
  function closable(place: Place): Place | undefined {
    if (!standalone) return stack[0]
    return guest && stack.indexOf(place) >= stack.indexOf(guest) ? guest : undefined
  }

  /** From the top down, so that each flow ends over the one that it interrupts. */
  function closeAbove(place: Place) {
    const at = stack.indexOf(place)
    if (at === -1 || isUnwinding) return
    isUnwinding = true
    for (const each of stack.slice(at).reverse()) {
      for (const waiting of interruptions.get(each) ?? []) waiting.close()
      interruptions.delete(each)
      if (each !== place) each.close()
    }
    isUnwinding = false
  }

  function leave(place: Place) {
    turns.leave(place)
    const at = stack.indexOf(place)
    if (at === -1) return
    stack.splice(at, 1)
    if (place === guest) guest = undefined
    countClosing(place)
    if (isUnwinding) return
    if (stack.length === 0) nextTurn()
    else {
      look('back')
      startInterruption()
      nextTurn()
    }
  }

  function nextTurn() {
    const under = top()
    if (under && !under.isUnderOthers) return
    const next = turns.next()
    if (!next) return under ? undefined : card.close()
    if (under) guest = next
    else card.awaitNext()
    enter(next)
  }

  /** Who waits is not kept waiting by a screen that is only held. */
  function giveWay() {
    const caller = guest ?? stack[0]
    if (caller?.isSettled() && turns.some(({ isPatient }) => !isPatient)) caller.close()
  }

  function closed() {
    look()
    nextTurn()
  }

  function countOpening(place: Place) {
    if (place !== stack[0] || counted.has(place)) return
    counted.add(place)
    analytics('modal_open', { flow: place.kind })
  }

  function countClosing(place: Place) {
    if (counted.delete(place)) analytics('modal_closed', { flow: place.kind })
  }

  function mayClose() {
    const place = top()
    return place !== undefined && (place.navigation().screen?.ways.close ?? true)
  }

  function endWithCaller(place: Place, signal: AbortSignal) {
    const end = () => place.fail(toAbortError(signal))
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  }

  function lose(error: LatchkeyError) {
    card.close()
    stack[0]?.fail(error)
  }

  return {
    begin(flow, signal) {
      const { place, outcome } = make(flow, false)
      try {
        turns.join(place)
      } catch (error) {
        return Promise.reject(error)
      }
      if (signal) endWithCaller(place, signal)
      giveWay()
      nextTurn()
      return outcome
    },
    back() {
      const place = top()
      if (place && waysOf(place).back) place.goBack()
    },
    skip() {
      const place = top()
      if (place && card.isShowing(place, place.navigation().arrivals)) place.skip()
    },
    close() {
      const present = top()
      if (present && mayClose()) closable(present)?.close()
    },
    stepAside: card.stepAside,
    lose,
  }
}

/** One dialog: whoever needs it takes a turn. Fifty may wait. */
type Turns<Waiting> = {
  join: (waiting: Waiting) => void
  leave: (waiting: Waiting) => void
  next: () => Waiting | undefined
  some: (is: (waiting: Waiting) => boolean) => boolean
}

function createTurns<Waiting>(): Turns<Waiting> {
  const line: Waiting[] = []
  return {
    join(waiting) {
      if (line.length >= channelLimits.maxQueuedCalls) {
        throw new LatchkeyError('too_many_requests', 'Too many requests wait for the user')
      }
      line.push(waiting)
    },
    leave(waiting) {
      const at = line.indexOf(waiting)
      if (at !== -1) line.splice(at, 1)
    },
    next: () => line.shift(),
    some: (is) => line.some(is),
  }
}

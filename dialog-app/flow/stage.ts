/**
 * The stack of calls on the card. The first call comes from the host; a call above another one interrupts it. Other calls
 * wait for their turn. The next one takes over the card without a close in between, or opens above a call that is
 * `isUnderOthers`. A settled call may hold its last screen. The user can skip the hold, and a waiting call ends it.
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
  /** Runs the flow when its turn has come. Aborting the signal ends it. */
  begin: <Outcome>(flow: Flow<Outcome>, signal?: AbortSignal) => Promise<Outcome>
  back: () => void
  /** Ends the hold of the present screen. */
  skip: () => void
  /** Closes the whole stack, if the present screen allows it. */
  close: () => void
  stepAside: () => () => void
  /** Rejects every call on the stack, because the card is gone or invisible. */
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
  /** The call above a flow with `isUnderOthers`. */
  let guest: Place | undefined
  let isUnwinding = false
  const card = createCard({ ...ports, opened: countOpening, closed, lost: failStack })

  const top = () => stack.at(-1)

  function make<Outcome>(flow: Flow<Outcome>, isInterruption: boolean) {
    return createPlace(flow, {
      clock,
      isInterruption,
      changed: (place) => place === top() && showTop(),
      ending: (place) => closeAbove(place),
      ended: remove,
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

  /** Starts one interruption at a time. Others of the same flow wait. */
  function startInterruption() {
    const under = top()
    const next = under && interruptions.get(under)?.shift()
    if (next) enter(next)
  }

  /** Shows the screen of the top flow. A flow without a screen leaves the present one. */
  function showTop(direction?: View['direction']) {
    const place = top()
    if (!place) return
    const { screen, arrivals, direction: own } = place.navigation()
    if (!screen) return
    card.show({
      place,
      arrivals,
      screen,
      covered: coveredBy(screen),
      direction: direction ?? own,
      header: toWays(place),
      held: place.isHeld(),
    })
  }

  /** Returns the screens below this one that stay mounted, lowest first. */
  const coveredBy = (present: ShownScreen) =>
    stack
      .flatMap((place) => [...place.navigation().history, place.navigation().screen])
      .filter((screen) => screen !== undefined)
      .filter(({ id }) => id !== present.id)

  function toWays(place: Place): Ways {
    const { back, close } = place.navigation().screen?.ways ?? { back: false, close: true }
    return { back: back && place.canGoBack(), close: close && closable(place) !== undefined }
  }

  /** Returns the flow that closing this screen ends, or undefined. A standalone page cannot close its root flow. */
  function closable(place: Place): Place | undefined {
    if (!standalone) return stack[0]
    return guest && stack.indexOf(place) >= stack.indexOf(guest) ? guest : undefined
  }

  /** Closes from the top down, so that each flow ends before the one below it. */
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

  function remove(place: Place) {
    turns.leave(place)
    const at = stack.indexOf(place)
    if (at === -1) return
    stack.splice(at, 1)
    if (place === guest) guest = undefined
    countClosing(place)
    if (isUnwinding) return
    if (stack.length === 0) nextTurn()
    else {
      showTop('back')
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

  /** Ends a settled call that still holds its last screen, if another call waits. */
  function giveWay() {
    const caller = guest ?? stack[0]
    if (caller?.isSettled() && turns.some(({ isPatient }) => !isPatient)) caller.close()
  }

  function closed() {
    showTop()
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

  function failStack(error: LatchkeyError) {
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
      if (place && toWays(place).back) place.goBack()
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
    lose: failStack,
  }
}

/** The queue of waiting calls. */
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

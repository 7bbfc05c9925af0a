/** The place of a flow on the stack, with its navigation, its timers and its caller. */
import { type LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import type { Clock } from '../browser/ports.ts'
import { type Ending, type Flow, type FlowHandle, failed, type ScreenIdentity } from './flow.ts'
import { type Move, move, type Navigation, nowhere } from './navigation.ts'
import type { ShownScreen } from './screen.ts'

export type Place = {
  kind: string
  navigation: () => Navigation<ShownScreen>
  /** Returns whether the present screen is held for reading. The user may skip it. */
  isHeld: () => boolean
  skip: () => void
  /** Returns whether the caller has received the outcome. */
  isSettled: () => boolean
  isPatient: boolean
  isUnderOthers: boolean
  canGoBack: () => boolean
  goBack: () => void
  run: () => void
  /** Ends the flow like a close by the user. */
  close: () => void
  /** Ends the flow with this error, or with the ending of an action that is already done. */
  fail: (error: LatchkeyError) => void
}

/** The interface of the stack to its places. */
export type Surroundings = {
  clock: Clock
  isInterruption: boolean
  changed: (place: Place) => void
  /** Called before the flow ends, so that flows above it end first. */
  ending: (place: Place) => void
  ended: (place: Place) => void
  /** Called when the caller has received the outcome. The flow may continue. */
  settled: (place: Place) => void
  isOnTop: (place: Place) => boolean
  interrupt: <Result>(place: Place, flow: Flow<Result>) => Promise<Result>
}

export function createPlace<Outcome>(
  flow: Flow<Outcome>,
  around: Surroundings,
): { place: Place; outcome: Promise<Outcome> } {
  const caller = Promise.withResolvers<Outcome>()
  const over = new AbortController()
  const timers = new Set<() => void>()
  let navigation: Navigation<ShownScreen> = nowhere
  let isSettled = false
  let holding: { arrivals: number; release: () => void } | undefined

  const isAt = ({ name, id }: ScreenIdentity) =>
    !over.signal.aborted &&
    navigation.screen?.name === name &&
    (id === undefined || navigation.screen.id === id)
  const isUsable = (screen: ScreenIdentity) => isAt(screen) && around.isOnTop(place)

  function moveTo(to: Move<ShownScreen>) {
    navigation = move(navigation, to)
    around.changed(place)
  }
  const moving = (type: 'forward' | 'replace' | 'restart' | 'update') => (screen: ShownScreen) =>
    moveTo({ type, screen })

  function settleCaller(ending: Ending<Outcome>) {
    isSettled = true
    if (ending.type === 'done') caller.resolve(ending.value)
    else caller.reject(ending.error)
  }

  function settle(ending: Ending<Outcome>) {
    settleCaller(ending)
    around.settled(place)
  }

  function end(ending?: Ending<Outcome>) {
    if (over.signal.aborted) return
    around.ending(place)
    if (!isSettled) settleCaller(ending ?? running.onClose())
    over.abort()
    for (const stop of timers) stop()
    timers.clear()
    around.ended(place)
  }

  function after(delayMs: number, run: () => void) {
    if (over.signal.aborted) return () => {}
    const stopTimer = around.clock.after(delayMs, () => {
      timers.delete(stop)
      run()
    })
    const stop = () => {
      timers.delete(stop)
      stopTimer()
    }
    timers.add(stop)
    return stop
  }

  const isHeld = () => holding?.arrivals === navigation.arrivals

  function hold(holdMs: number) {
    return new Promise<void>((resolve) => {
      const stop = after(holdMs, release)
      const mine = { arrivals: navigation.arrivals, release }
      holding = mine
      around.changed(place)

      function release() {
        stop()
        if (holding === mine) holding = undefined
        around.changed(place)
        resolve()
      }
    })
  }

  const handle: FlowHandle<Outcome> = {
    go: moving('forward'),
    replace: moving('replace'),
    restart: moving('restart'),
    update: moving('update'),
    back: () => moveTo({ type: 'back' }),
    isAt,
    isUsable,
    after,
    hold,
    interrupt: (other) => around.interrupt(place, other),
    signal: over.signal,
    settle,
    end,
  }
  const running = flow(handle)
  const leadsBackOut = () => around.isInterruption && running.onBack !== undefined

  const place: Place = {
    kind: running.kind,
    navigation: () => navigation,
    isHeld,
    skip: () => isHeld() && holding?.release(),
    isSettled: () => isSettled,
    isPatient: running.isPatient ?? false,
    isUnderOthers: running.isUnderOthers ?? false,
    canGoBack: () => navigation.history.length > 0 || leadsBackOut(),
    goBack() {
      if (navigation.history.length > 0) moveTo({ type: 'back' })
      else if (leadsBackOut()) end(running.onBack?.())
    },
    run() {
      new Promise<void>((resolve) => resolve(running.run())).catch((error: unknown) =>
        end(failed(toLatchkeyError(error, 'internal_error', 'The dialog could not go on'))),
      )
    },
    close: () => end(),
    fail: (error) => end(running.whatIsDone?.() ?? failed(error)),
  }
  return { place, outcome: caller.promise }
}

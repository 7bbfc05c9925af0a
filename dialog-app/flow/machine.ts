/**
 * Runs a flow as a state machine. `step` is pure and returns the next state and the effects to run. The result of an
 * effect is the next event. Events are handled one after the other, each to its end. After the signal aborts, events
 * and results are ignored.
 */
import { toLatchkeyError } from '@latchkey/protocol'
import { type FlowHandle, failed } from './flow.ts'

/** The next state and its effects, which run in this order. An identical state is not drawn again. */
export type Next<State, Effect> = readonly [state: State, ...effects: Effect[]]
export type Step<State, Event, Effect> = (state: State, event: Event) => Next<State, Effect>

// biome-ignore lint/suspicious/noConfusingVoidType: an effect without an event returns nothing
type Answer<Event> = Event | undefined | void
export type Effects<Effect extends { type: string }, Event> = {
  readonly [Type in Effect['type']]: (
    effect: Extract<Effect, { type: Type }>,
  ) => Answer<Event> | Promise<Answer<Event>>
}

export type Machine<State, Event> = {
  state: () => State
  send: (event: Event) => void
}

type Definition<State, Event, Effect extends { type: string }> = {
  initial: State
  step: Step<State, Event, Effect>
  effects: Effects<Effect, Event>
  /** Draws a new state before the effects of its step run. */
  draw?: (state: State) => void
  signal: AbortSignal
  /** Receives unexpected exceptions. Effects return expected failures as events. */
  crashed: (error: unknown) => void
}

export function createMachine<State, Event, Effect extends { type: string }>({
  initial,
  step,
  effects,
  draw = () => {},
  signal,
  crashed,
}: Definition<State, Event, Effect>): Machine<State, Event> {
  const waiting: Event[] = []
  let state = initial
  let isHandling = false

  function handle(event: Event) {
    const [next, ...following] = step(state, event)
    const isNew = next !== state
    state = next
    if (isNew) draw(next)
    for (const effect of following) void run(effect)
  }

  async function run(effect: Effect) {
    try {
      const perform = effects[effect.type as Effect['type']] as (
        effect: Effect,
      ) => Answer<Event> | Promise<Answer<Event>>
      const event = await perform(effect)
      if (event) send(event)
    } catch (error) {
      if (!signal.aborted) crashed(error)
    }
  }

  function send(event: Event) {
    if (signal.aborted) return
    waiting.push(event)
    if (isHandling) return
    isHandling = true
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        if (!signal.aborted) handle(next)
      }
    } finally {
      isHandling = false
    }
  }

  return { state: () => state, send }
}

/** Binds a machine to its flow: both end together, and an exception in an effect ends the flow. */
export const partOf = <Outcome>(handle: Pick<FlowHandle<Outcome>, 'signal' | 'end'>) => ({
  signal: handle.signal,
  crashed: (error: unknown) =>
    handle.end(failed(toLatchkeyError(error, 'internal_error', 'The dialog could not go on'))),
})

type Phased = { phase: { at: string } }
type Typed = { type: string }
type Phase<State extends Phased, At> = Extract<State['phase'], { at: At }>

/** The transition for each phase and event. Events without an entry are ignored. */
export type Table<State extends Phased, Event extends Typed, Effect> = {
  readonly [At in State['phase']['at']]: {
    readonly [Type in Event['type']]?: (
      state: State,
      event: Extract<Event, { type: Type }>,
      phase: Phase<State, At>,
    ) => Next<State, Effect>
  }
}

export const stepBy =
  <State extends Phased, Event extends Typed, Effect>(
    table: Table<State, Event, Effect>,
  ): Step<State, Event, Effect> =>
  (state, event) => {
    const rows = table[state.phase.at as State['phase']['at']]
    const row = rows[event.type as Event['type']] as
      | ((state: State, event: Event, phase: State['phase']) => Next<State, Effect>)
      | undefined
    return row?.(state, event, state.phase) ?? [state]
  }

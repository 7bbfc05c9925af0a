/**
 * A flow as a machine: `step` is pure and says what comes next and what is to be done; this runs what is to be done.
 * What an effect answers is the next event. Events come one after the other: one that is sent while another is being
 * taken waits for it. After the signal is aborted nothing counts any more.
 */
import { toLatchkeyError } from '@latchkey/protocol'
import { type FlowHandle, failed } from './flow.ts'

/** The state that comes next, and what is to be done then, in this order. The same state is not drawn again. */
export type Next<State, Effect> = readonly [state: State, ...effects: Effect[]]
export type Step<State, Event, Effect> = (state: State, event: Event) => Next<State, Effect>

// biome-ignore lint/suspicious/noConfusingVoidType: an effect that answers nothing is a function without a result
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
  /** Draws what has changed, before the effects of the change begin. */
  draw?: (state: State) => void
  signal: AbortSignal
  /** An effect makes an event of what it expects to go wrong; what it throws is anything else. */
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
  let isTaking = false

  function take(event: Event) {
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
    if (isTaking) return
    isTaking = true
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        if (!signal.aborted) take(next)
      }
    } finally {
      isTaking = false
    }
  }

  return { state: () => state, send }
}

/** The machine of a flow ends with it, and the flow with what an effect throws. */
export const partOf = <Outcome>(handle: Pick<FlowHandle<Outcome>, 'signal' | 'end'>) => ({
  signal: handle.signal,
  crashed: (error: unknown) =>
    handle.end(failed(toLatchkeyError(error, 'internal_error', 'The dialog could not go on'))),
})

type Phased = { phase: { at: string } }
type Typed = { type: string }
type Phase<State extends Phased, At> = Extract<State['phase'], { at: At }>

/** What each phase makes of which event. An event that has no entry changes nothing. */
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

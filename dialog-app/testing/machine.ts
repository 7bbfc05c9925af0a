/** Plays events to a machine's step, for tables of transitions. */
import type { Step } from '../flow/machine.ts'

/** Returns the state after these events, and the effects of the last one. */
export const playing =
  <State extends { phase: { at: string } }, Event, Effect>(step: Step<State, Event, Effect>) =>
  (from: State, ...events: readonly Event[]) => {
    let state = from
    let effects: readonly Effect[] = []
    for (const event of events) [state, ...effects] = step(state, event)
    return { state, phase: state.phase, at: state.phase.at, effects }
  }

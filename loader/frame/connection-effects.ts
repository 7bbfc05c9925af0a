import type { LatchkeyError } from '@latchkey/protocol'
import { type Effect, type Happening, type State, step } from './connection-state.ts'

/** The implementation of each effect. It receives the state that follows the step. */
export type Effects = { [E in Effect]: (state: State) => void }

/** Keeps the state of a connection and runs the effects of each step. */
export function followState(effects: Effects) {
  let state: State = { name: 'loading' }
  const changed: (() => void)[] = []
  return {
    happen(happening: Happening) {
      const [next, ...toDo] = step(state, happening)
      state = next
      for (const effect of toDo) effects[effect](next)
      for (const tell of changed.splice(0)) tell()
    },
    /** Waits until the state is certain. Returns the error if the connection was lost. */
    async verdict(): Promise<LatchkeyError | undefined> {
      while (state.name === 'doubtful' || state.name === 'explaining') {
        await new Promise<void>((resolve) => changed.push(resolve))
      }
      return state.name === 'lost' ? state.error : undefined
    },
  }
}

/** Creates timers that dispatch an event after a delay. */
export function createTimers(happen: (happening: Happening) => void) {
  const timers = new Set<ReturnType<typeof setTimeout>>()
  return {
    add(delayMs: number, happening: Happening) {
      timers.add(setTimeout(() => happen(happening), delayMs))
    },
    clear() {
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
    },
  }
}

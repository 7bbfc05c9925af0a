import type { LatchkeyError } from '@latchkey/protocol'
import { type Effect, type Happening, type State, step } from './connection-state.ts'

/** What does each effect. It is given the state that it belongs to. */
export type Effects = { [E in Effect]: (state: State) => void }

/** Keeps the state of a connection, and has each effect of a step done. */
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
    /** Once there is no doubt: why the connection was lost, if it was. */
    async verdict(): Promise<LatchkeyError | undefined> {
      while (state.name === 'doubtful' || state.name === 'explaining') {
        await new Promise<void>((resolve) => changed.push(resolve))
      }
      return state.name === 'lost' ? state.error : undefined
    },
  }
}

/** Happenings that come when nothing else has. */
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

import type { LatchkeyError } from '@latchkey/protocol'
import { type ConnectionEvent, type Effect, type State, step } from './connection-state.ts'

/** The implementation of each effect. It receives the state that follows the step. */
export type Effects = { [E in Effect]: (state: State) => void }

/** Keeps the state of a connection and runs the effects of each step. */
export function runStateMachine(effects: Effects) {
  let state: State = { name: 'loading' }
  const listeners: (() => void)[] = []
  return {
    dispatch(event: ConnectionEvent) {
      const [next, ...effectNames] = step(state, event)
      state = next
      for (const effect of effectNames) effects[effect](next)
      for (const listener of listeners.splice(0)) listener()
    },
    /** Waits until the state is certain. Returns the error if the connection was lost. */
    async lossError(): Promise<LatchkeyError | undefined> {
      while (state.name === 'probing' || state.name === 'diagnosing') {
        await new Promise<void>((resolve) => listeners.push(resolve))
      }
      return state.name === 'lost' ? state.error : undefined
    },
  }
}

/** Creates timers that dispatch an event after a delay. */
export function createTimers(dispatch: (event: ConnectionEvent) => void) {
  const timers = new Set<ReturnType<typeof setTimeout>>()
  return {
    add(delayMs: number, event: ConnectionEvent) {
      timers.add(setTimeout(() => dispatch(event), delayMs))
    },
    clear() {
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
    },
  }
}

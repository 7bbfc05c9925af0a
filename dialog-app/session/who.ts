/**
 * Who is logged in, as far as it is known here, and who hears of changes.
 *
 * Answers may come in another order than they were asked for. Each has the number of its question: what was
 * learnt by a later question stands.
 */
import type { UserRecord } from '@latchkey/protocol'

export type SessionState =
  | { status: 'unknown' }
  | { status: 'visitor' }
  | { status: 'authenticated'; user: UserRecord }

/** `elsewhere`: another tab did it. */
export type ChangeOrigin = 'here' | 'elsewhere'
export type SessionListener = (state: SessionState, before: SessionState, origin: ChangeOrigin) => void

export type Who = {
  state: () => SessionState
  user: () => UserRecord | null
  subscribe: (listener: SessionListener) => void
  /** The number of a question, taken before it is asked. */
  question: () => number
  /** Takes over what is known at this moment, and asks nobody. */
  learn: (state: SessionState, told?: { question?: number; origin?: ChangeOrigin }) => void
}

export function createWho(): Who {
  const listeners = new Set<SessionListener>()
  let state: SessionState = { status: 'unknown' }
  let asked = 0
  let known = 0
  const question = () => {
    asked += 1
    return asked
  }

  function change(next: SessionState, origin: ChangeOrigin) {
    const before = state
    state = next
    if (next.status === 'visitor' && before.status === 'visitor') return
    for (const listener of listeners) listener(next, before, origin)
  }

  return {
    state: () => state,
    user: () => (state.status === 'authenticated' ? state.user : null),
    subscribe: (listener) => void listeners.add(listener),
    question,
    learn(next, { question: number = question(), origin = 'here' } = {}) {
      if (number < known) return
      known = number
      // From one user to another there is a logout in between, for everybody who listens.
      if (next.status === 'authenticated' && isAnother(next.user)) change({ status: 'visitor' }, origin)
      change(next, origin)
    },
  }

  function isAnother({ id }: UserRecord): boolean {
    return state.status === 'authenticated' && state.user.id !== id
  }
}

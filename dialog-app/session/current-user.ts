/**
 * The current user as this tab knows it, and its listeners.
 *
 * Responses may arrive out of order. Each has the number of its request, and an older request never overwrites a
 * newer result.
 */
import type { UserRecord } from '@latchkey/protocol'

export type SessionState =
  | { status: 'unknown' }
  | { status: 'visitor' }
  | { status: 'authenticated'; user: UserRecord }

/** `elsewhere`: the change came from another tab. */
export type ChangeOrigin = 'here' | 'elsewhere'
export type SessionListener = (state: SessionState, before: SessionState, origin: ChangeOrigin) => void

export type CurrentUser = {
  state: () => SessionState
  user: () => UserRecord | null
  /** Returns a function that unsubscribes. */
  subscribe: (listener: SessionListener) => () => void
  /** Returns the number of a request that is about to be sent. */
  nextId: () => number
  /** Applies a new state without a request. */
  update: (state: SessionState, told?: { request?: number; origin?: ChangeOrigin }) => void
}

export function createCurrentUser(): CurrentUser {
  const listeners = new Set<SessionListener>()
  let state: SessionState = { status: 'unknown' }
  let lastRequest = 0
  let lastApplied = 0
  const nextId = () => {
    lastRequest += 1
    return lastRequest
  }

  function change(next: SessionState, origin: ChangeOrigin) {
    const previous = state
    state = next
    if (next.status === 'visitor' && previous.status === 'visitor') return
    for (const listener of listeners) listener(next, previous, origin)
  }

  return {
    state: () => state,
    user: () => (state.status === 'authenticated' ? state.user : null),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    nextId,
    update(next, { request = nextId(), origin = 'here' } = {}) {
      if (request < lastApplied) return
      lastApplied = request
      // Listeners receive a logout between two users.
      if (next.status === 'authenticated' && isOtherUser(next.user)) change({ status: 'visitor' }, origin)
      change(next, origin)
    },
  }

  function isOtherUser({ id }: UserRecord): boolean {
    return state.status === 'authenticated' && state.user.id !== id
  }
}

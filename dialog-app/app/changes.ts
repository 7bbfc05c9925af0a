/** Notifies listeners of values that change outside of React. */
export type Changes = {
  /** Returns a function that removes the listener. */
  subscribe: (listener: () => void) => () => void
  version: () => number
  notify: () => void
}

export function createChanges(): Changes {
  const listeners = new Set<() => void>()
  let version = 0
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    version: () => version,
    notify() {
      version += 1
      for (const listener of listeners) listener()
    },
  }
}

/** A value that changes, and whoever wants to know that it did. */
export type Watched<T> = {
  readonly get: () => T
  /** The answer ends it. */
  readonly watch: (changed: () => void) => () => void
}

export function createWatched<T>(first: T): Watched<T> & { readonly set: (next: T) => void } {
  let value = first
  const watchers = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      value = next
      for (const changed of watchers) changed()
    },
    watch(changed) {
      watchers.add(changed)
      return () => void watchers.delete(changed)
    },
  }
}

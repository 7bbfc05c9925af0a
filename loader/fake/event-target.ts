/**
 * An `EventTarget` as the platform has it. Environments of tests mix the classes of Node with those of a DOM, and the
 * platform's own then refuses a signal that is of the other kind.
 */
type Listener = EventListenerOrEventListenerObject | null
type Options = AddEventListenerOptions | boolean | undefined

export function createEventTarget(): EventTarget {
  const listeners = new Map<string, Map<Listener, { once: boolean }>>()
  const of = (name: string) => {
    const own = listeners.get(name) ?? new Map()
    listeners.set(name, own)
    return own
  }
  return {
    addEventListener(name: string, listener: Listener, options: Options) {
      const { signal, once = false } = Object(options)
      if (listener === null || signal?.aborted || of(name).has(listener)) return
      of(name).set(listener, { once })
      signal?.addEventListener('abort', () => of(name).delete(listener))
    },
    removeEventListener: (name: string, listener: Listener) => void of(name).delete(listener),
    dispatchEvent(event: Event) {
      for (const [listener, { once }] of [...of(event.type)]) {
        // One before it may have taken it away.
        if (!of(event.type).has(listener)) continue
        if (once) of(event.type).delete(listener)
        try {
          if (typeof listener === 'function') listener(event)
          else listener?.handleEvent(event)
        } catch (error) {
          // As the platform does: the next one hears it all the same, and the failure is nobody's to catch.
          queueMicrotask(() => {
            throw error
          })
        }
      }
      return true
    },
  }
}

/**
 * An `EventTarget` like the platform's. Test environments mix the classes of Node with those of a DOM
 * implementation, and a native one rejects the other implementation's signals.
 */
type Listener = EventListenerOrEventListenerObject | null
type Options = AddEventListenerOptions | boolean | undefined

export function createEventTarget(): EventTarget {
  const listeners = new Map<string, Map<Listener, { once: boolean }>>()
  const listenersFor = (name: string) => {
    const own = listeners.get(name) ?? new Map()
    listeners.set(name, own)
    return own
  }
  return {
    addEventListener(name: string, listener: Listener, options: Options) {
      const { signal, once = false } = Object(options)
      if (listener === null || signal?.aborted || listenersFor(name).has(listener)) return
      listenersFor(name).set(listener, { once })
      signal?.addEventListener('abort', () => listenersFor(name).delete(listener))
    },
    removeEventListener: (name: string, listener: Listener) => void listenersFor(name).delete(listener),
    dispatchEvent(event: Event) {
      for (const [listener, { once }] of [...listenersFor(event.type)]) {
        // An earlier listener may have removed it.
        if (!listenersFor(event.type).has(listener)) continue
        if (once) listenersFor(event.type).delete(listener)
        try {
          if (typeof listener === 'function') listener(event)
          else listener?.handleEvent(event)
        } catch (error) {
          // Like the platform: later listeners still run, and the error is reported globally.
          queueMicrotask(() => {
            throw error
          })
        }
      }
      return true
    },
  }
}

import type { EthereumProviderEvents } from '../../types/latchkey.ts'

type Events = EthereumProviderEvents
type Listener = (event: never) => void

/** Listeners as Node's emitters have them, which is what libraries expect of a provider. */
export function createEmitter() {
  const listeners = new Map<string, readonly Listener[]>()
  const of = (name: string) => listeners.get(name) ?? []
  return {
    add: (name: string, listener: Listener) => void listeners.set(name, [...of(name), listener]),
    /** One that was added twice is taken away once. */
    remove(name: string, listener: Listener) {
      const last = of(name).lastIndexOf(listener)
      listeners.set(
        name,
        of(name).filter((_, position) => position !== last),
      )
    },
    tell<Name extends keyof Events>(name: Name, event: Events[Name]) {
      for (const listener of of(name)) {
        try {
          listener(event as never)
        } catch (error) {
          // One listener's failure is not the next one's.
          reportError(error)
        }
      }
    },
  }
}

import type { EthereumProvider, EthereumProviderEvents } from '../../types/options.ts'

type Events = EthereumProviderEvents
type Listener = (event: never) => void

/** Creates an event emitter like Node's, as libraries expect of a provider. */
export function createEmitter() {
  const listeners = new Map<string, readonly Listener[]>()
  const listenersFor = (name: string) => listeners.get(name) ?? []
  const add = (name: string, listener: Listener) =>
    void listeners.set(name, [...listenersFor(name), listener])
  /** Removes one registration, even if the listener was added twice. */
  function remove(name: string, listener: Listener) {
    const last = listenersFor(name).lastIndexOf(listener)
    listeners.set(
      name,
      listenersFor(name).filter((_, position) => position !== last),
    )
  }
  return {
    /** Creates the listener methods. Each returns the provider, for chaining. */
    listenerMethods(provider: () => EthereumProvider) {
      const on: EthereumProvider['on'] = (name, listener) => {
        add(name, listener)
        return provider()
      }
      const off: EthereumProvider['on'] = (name, listener) => {
        remove(name, listener)
        return provider()
      }
      const once: EthereumProvider['on'] = (name, listener) => {
        const runOnce: typeof listener = (event) => {
          off(name, runOnce)
          listener(event)
        }
        return on(name, runOnce)
      }
      return { on, once, off, removeListener: off }
    },
    emit<Name extends keyof Events>(name: Name, event: Events[Name]) {
      for (const listener of listenersFor(name)) {
        try {
          listener(event as never)
        } catch (error) {
          // An error in one listener must not affect the others.
          reportError(error)
        }
      }
    },
  }
}

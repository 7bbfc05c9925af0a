/** Two windows that post messages to each other, in Node: cloned, later, and with the sender's source and origin. */
export type FakeWindow = {
  readonly origin: string
  readonly asWindow: Window
  receive(data: unknown, from: { source: unknown; origin: string; ports?: readonly unknown[] }): void
  /** A reload: the listeners of the old document are gone. */
  clear(): void
}

export function makeWindows(parentOrigin: string, childOrigin: string) {
  const parent = makeWindow(parentOrigin)
  const child = makeWindow(childOrigin)
  const connect = (to: FakeWindow, from: FakeWindow) =>
    Reflect.set(
      to.asWindow,
      'postMessage',
      (message: unknown, { targetOrigin, transfer = [] }: { targetOrigin: string; transfer?: unknown[] }) => {
        const data = structuredClone(message)
        if (targetOrigin !== '*' && targetOrigin !== to.origin) return
        setImmediate(() => to.receive(data, { source: from.asWindow, origin: from.origin, ports: transfer }))
      },
    )
  connect(parent, child)
  connect(child, parent)
  return { parent, child }
}

/** Both ends read the global `window` when they connect. */
export function inWindow<T>({ asWindow }: FakeWindow, run: () => T): T {
  Reflect.set(globalThis, 'window', asWindow)
  return run()
}

function makeWindow(origin: string): FakeWindow {
  const listeners = new Set<(event: unknown) => void>()
  const asWindow = {
    origin,
    addEventListener: (_type: string, listener: (event: unknown) => void) => listeners.add(listener),
    removeEventListener: (_type: string, listener: (event: unknown) => void) => listeners.delete(listener),
  }
  return {
    origin,
    asWindow: asWindow as unknown as Window,
    receive(data, { source, origin: from, ports = [] }) {
      for (const listener of [...listeners]) listener({ data, source, origin: from, ports })
    },
    clear: () => listeners.clear(),
  }
}

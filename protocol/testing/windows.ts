/**
 * Two fake windows for Node that post messages to each other. Messages are cloned and delivered asynchronously with the
 * sender's source and origin, which tests can forge.
 */
export type FakeWindow = {
  origin: string
  asWindow: Window
  /** Delivers a message to this window's listeners with the given source and origin. */
  receive(data: unknown, from: { source: unknown; origin: string; ports?: readonly MessagePort[] }): void
  /** Simulates a reload: removes the old document's listeners. */
  clear(): void
}

export function makeWindowPair(parentOrigin: string, childOrigin: string) {
  const parent = makeWindow(parentOrigin)
  const child = makeWindow(childOrigin)
  connectPost(parent, child)
  connectPost(child, parent)
  return { parent, child }
}

/** Penpal reads the global `window` when a connection opens. */
export function runInWindow<T>(fake: FakeWindow, run: () => T): T {
  const before = Reflect.get(globalThis, 'window')
  Reflect.set(globalThis, 'window', fake.asWindow)
  try {
    return run()
  } finally {
    Reflect.set(globalThis, 'window', before ?? fake.asWindow)
  }
}

function makeWindow(origin: string): FakeWindow {
  const listeners = new Set<(event: MessageEvent) => void>()
  const asWindow = {
    origin,
    addEventListener: (_type: string, listener: (event: MessageEvent) => void) => listeners.add(listener),
    removeEventListener: (_type: string, listener: (event: MessageEvent) => void) =>
      listeners.delete(listener),
  } as unknown as Window
  return {
    origin,
    asWindow,
    receive(data, from) {
      const event = { data, source: from.source, origin: from.origin, ports: from.ports ?? [] }
      for (const listener of [...listeners]) listener(event as unknown as MessageEvent)
    },
    clear: () => listeners.clear(),
  }
}

/** Connects `to.postMessage` for calls from `from`. */
function connectPost(to: FakeWindow, from: FakeWindow) {
  const postMessage = (
    message: unknown,
    { targetOrigin, transfer = [] }: { targetOrigin: string; transfer?: MessagePort[] },
  ) => {
    const data = structuredClone(message)
    if (targetOrigin !== '*' && targetOrigin !== to.origin) return
    setImmediate(() => to.receive(data, { source: from.asWindow, origin: from.origin, ports: transfer }))
  }
  Reflect.set(to.asWindow, 'postMessage', postMessage)
}

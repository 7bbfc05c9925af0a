import type { KeyValueStore, Locks, Notices } from '../browser/ports.ts'
import { throwIfAborted } from '../browser/waiting.ts'

/** Storage that several tabs share, and that can be made to fail. */
export function makeFakeStore() {
  const entries = new Map<string, string>()
  let broken = false
  const guard = () => {
    if (broken) throw new DOMException('The operation is insecure', 'SecurityError')
  }
  const store: KeyValueStore = {
    read(name) {
      guard()
      return entries.get(name) ?? null
    },
    write(name, value) {
      guard()
      entries.set(name, value)
    },
    remove(name) {
      guard()
      entries.delete(name)
    },
  }
  return {
    ...store,
    entries,
    breakDown() {
      broken = true
    },
  }
}

/** One lock after the other, by name, as the browser gives them. */
export function makeFakeLocks(): Locks {
  const last = new Map<string, Promise<unknown>>()
  return {
    hold(name, _deadlineMs, run, signal) {
      const before = last.get(name) ?? Promise.resolve()
      const mine = before.then(() => {
        throwIfAborted(signal)
        return run()
      })
      last.set(
        name,
        mine.catch(() => {}),
      )
      return mine
    },
  }
}

/** Tabs that hear each other, but not themselves. */
export function makeFakeNotices() {
  const listeners: { tab: symbol; run: () => void }[] = []
  return (): Notices => {
    const tab = Symbol('tab')
    return {
      tell() {
        for (const listener of listeners) if (listener.tab !== tab) listener.run()
      },
      listen: (run) => void listeners.push({ tab, run }),
    }
  }
}

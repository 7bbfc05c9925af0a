import type { KeyValueStore, Locks, Notices } from '../browser/ports.ts'
import { throwIfAborted } from '../browser/waiting.ts'

/** Storage that several tabs share, and that can fail. */
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

/** Grants locks by name, one after the other, like the browser. */
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

/** Tabs that receive the messages of other tabs, but not their own. */
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

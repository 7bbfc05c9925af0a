/** Random names that this browser has at this app, so that the server can tell it from another. */
import { product } from '@latchkey/protocol'
import type { KeyValueStore, Random } from '../browser/ports.ts'

export type BrowserIds = {
  /** Counts visits; names nobody. */
  analytics: string
  /** Whoever asks for a code must be the one who uses it. */
  loginBinding: string
}

const loginBindingBytes = 32

export function readBrowserIds(ports: { appId: string; store: KeyValueStore; random: Random }): BrowserIds {
  const kept = (name: string, make: () => string) => {
    const key = product.storageName(ports.appId, name)
    try {
      const before = ports.store.read(key)
      if (before) return before
      const made = make()
      ports.store.write(key, made)
      return made
    } catch {
      // A browser that keeps nothing has names for as long as this page lives.
      return make()
    }
  }
  return {
    analytics: kept('analytics-id', ports.random.uuid),
    loginBinding: kept('login-binding', () => ports.random.id(loginBindingBytes)),
  }
}

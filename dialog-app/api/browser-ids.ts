/** Random ids of this browser for one app. */
import { product } from '@latchkey/protocol'
import type { KeyValueStore, Random } from '../browser/ports.ts'

export type BrowserIds = {
  /** Identifies the browser for visit counts; contains no personal data. */
  analytics: string
  /** Binds a one-time code to the browser that requested it. */
  loginBinding: string
}

const loginBindingBytes = 32

export function readBrowserIds(ports: { appId: string; store: KeyValueStore; random: Random }): BrowserIds {
  const readOrCreate = (name: string, make: () => string) => {
    const key = product.storageName(ports.appId, name)
    try {
      const storedId = ports.store.read(key)
      if (storedId) return storedId
      const newId = make()
      ports.store.write(key, newId)
      return newId
    } catch {
      // Without storage, the ids last as long as the page.
      return make()
    }
  }
  return {
    analytics: readOrCreate('analytics-id', ports.random.uuid),
    loginBinding: readOrCreate('login-binding', () => ports.random.id(loginBindingBytes)),
  }
}

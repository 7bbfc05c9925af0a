/** The e-mail address that this browser logged in with last, which is offered to who comes back after a logout. */
import { product } from '@latchkey/protocol'
import type { KeyValueStore } from '../browser/ports.ts'

export type LastEmail = {
  read: () => string | undefined
  remember: (address: string) => void
  forget: () => void
}

/** A browser that keeps nothing offers no address. */
export function lastEmailOf(store: KeyValueStore, appId: string): LastEmail {
  const name = product.storageName(appId, 'last-email')
  const attempt = <T>(run: () => T) => {
    try {
      return run()
    } catch {
      return undefined
    }
  }
  return {
    read: () => attempt(() => store.read(name)) || undefined,
    remember: (address) => attempt(() => store.write(name, address)),
    forget: () => attempt(() => store.remove(name)),
  }
}

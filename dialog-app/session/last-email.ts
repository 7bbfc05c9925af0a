/** The e-mail address of the last login, which is suggested after a logout. */
import { product } from '@latchkey/protocol'
import type { KeyValueStore } from '../browser/ports.ts'

export type LastEmail = {
  read: () => string | undefined
  remember: (address: string) => void
  forget: () => void
}

/** Suggests nothing if the browser stores nothing. */
export function createLastEmail(store: KeyValueStore, appId: string): LastEmail {
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

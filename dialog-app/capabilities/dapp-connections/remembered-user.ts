/** For whom this browser remembers dapps, in a word that is read without the rest. */
import { product } from '@latchkey/protocol'
import type { DialogServices } from '../../app/services.ts'

export type RememberedUser = {
  read: () => string | undefined
  write: (userId: string) => void
  remove: () => void
}

export function rememberedUser({
  settings,
  store,
}: Pick<DialogServices, 'settings' | 'store'>): RememberedUser {
  const name = () => product.storageName(settings().app.id, 'dapps')
  /** A browser that keeps nothing has no dapps of an earlier visit either. */
  const quietly = <T>(run: () => T): T | undefined => {
    try {
      return run()
    } catch {
      return undefined
    }
  }
  return {
    read: () => quietly(() => store.read(name())) ?? undefined,
    write: (userId) => quietly(() => store.write(name(), userId)),
    remove: () => quietly(() => store.remove(name())),
  }
}

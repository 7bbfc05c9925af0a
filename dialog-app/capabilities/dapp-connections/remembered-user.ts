/** The id of the user with stored dapps. It is readable without loading the capability. */
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
  /** Ignores storage errors. A browser that blocks storage has no dapps from an earlier visit. */
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

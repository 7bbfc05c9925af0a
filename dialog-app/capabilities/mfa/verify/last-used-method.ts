/** The method of the last verification in this browser. It opens first if the user still has it. */
import { type MfaMethodType, product } from '@latchkey/protocol'
import type { DialogServices } from '../../../app/services.ts'

export function createLastUsedMethod({ store, settings }: Pick<DialogServices, 'store' | 'settings'>) {
  const getKey = () => product.storageName(settings().app.id, 'mfa-method')
  function read(): string | null {
    try {
      return store.read(getKey())
    } catch {
      return null
    }
  }
  return {
    /** Returns the first of the methods if none was used. */
    find(methods: readonly MfaMethodType[]): MfaMethodType | undefined {
      const last = read()
      return methods.find((method) => method === last) ?? methods[0]
    },
    write(method: MfaMethodType): void {
      try {
        store.write(getKey(), method)
      } catch {
        // Without storage, the first method opens.
      }
    },
  }
}

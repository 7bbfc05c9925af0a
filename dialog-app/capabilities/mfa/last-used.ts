/** Which method verified last in this browser: it is asked for first, where the user has it still. */
import { type MfaMethodType, product } from '@latchkey/protocol'
import type { FlowPorts } from '../../contract/ports.ts'

export type LastUsed = {
  /** The one to begin with: the last that was used, or else the first that was added. */
  readonly first: (methods: readonly MfaMethodType[]) => MfaMethodType | undefined
  readonly remember: (method: MfaMethodType) => void
}

export function createLastUsed({ store, settings }: Pick<FlowPorts, 'store' | 'settings'>): LastUsed {
  const storedName = () => product.storageName(settings().app.id, 'mfa-method')
  return {
    first(methods) {
      const last = read()
      return methods.find((method) => method === last) ?? methods[0]
    },
    remember(method) {
      try {
        store.write(storedName(), method)
      } catch {
        // A browser that keeps nothing begins with the first.
      }
    },
  }

  function read(): string | null {
    try {
      return store.read(storedName())
    } catch {
      return null
    }
  }
}

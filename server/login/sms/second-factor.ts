/** SMS can be a user's login method or second factor, but not both. */
import type { Trx } from '../../kernel/ports.ts'
import { registryKey } from '../../kernel/registry.ts'

export type SmsFactor = {
  /** Throws if the user has the SMS second factor. Locks the user until the number is linked. */
  requireNone: (trx: Trx, caller: { userId: string }) => Promise<void>
}

export const smsFactor = registryKey<SmsFactor>('the second factor by SMS')

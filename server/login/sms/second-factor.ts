/** What the login by SMS asks of the second factor by SMS: a user has one of the two. */
import type { Trx } from '../../kernel/ports.ts'
import { registryKey } from '../../kernel/registry.ts'

export type SmsFactor = {
  /** Throws where the user has it. They are held until the number is linked, or not. */
  requireNone: (trx: Trx, caller: { userId: string }) => Promise<void>
}

export const smsFactor = registryKey<SmsFactor>('the second factor by SMS')

import { createHash } from 'node:crypto'
import { type AccountAction, toAccountActionText } from '@latchkey/protocol/wallet'

/**
 * Returns the digest of an account action. In a separate file, because loading the request parser is expensive.
 */
export const digestAction = (action: AccountAction): string =>
  `0x${createHash('sha256').update(toAccountActionText(action)).digest('hex')}`

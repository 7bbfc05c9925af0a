import { createHash } from 'node:crypto'
import { type AccountAction, toAccountActionText } from '@latchkey/protocol/wallet'

/**
 * The digest of an action, as a signature has one. It is a file of its own, because what reads signatures is half of
 * what a server loads.
 */
export const digestOf = (action: AccountAction): string =>
  `0x${createHash('sha256').update(toAccountActionText(action)).digest('hex')}`

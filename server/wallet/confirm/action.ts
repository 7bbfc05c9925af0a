import { createHash } from 'node:crypto'
import { type AccountAction, accountActionText } from '@latchkey/protocol/wallet'

/** As a signature has one. Apart from what reads signatures, which is the half of what a server loads. */
export const digestOf = (action: AccountAction): string =>
  `0x${createHash('sha256').update(accountActionText(action)).digest('hex')}`

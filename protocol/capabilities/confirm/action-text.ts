import { proofTag } from '../../vault/proof.ts'
import type { AccountAction } from './account-actions.ts'

/** Returns the text that the digest of an action covers (SHA-256). No message that a wallet signs begins like it. */
export const toAccountActionText = ({ method, params }: AccountAction): string =>
  `${proofTag}account-action/1\n${JSON.stringify([method, ...params])}`

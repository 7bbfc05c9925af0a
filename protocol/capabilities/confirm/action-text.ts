import { proofTag } from '../../vault/proof.ts'
import type { AccountAction } from './account-actions.ts'

/**
 * Returns the text of an action; its SHA-256 is the digest. The prefix is reserved, so no signed message equals it.
 */
export const toAccountActionText = ({ method, params }: AccountAction): string =>
  `${proofTag}account-action/1\n${JSON.stringify([method, ...params])}`

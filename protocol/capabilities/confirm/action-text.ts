import { proofTag } from '../../vault/proof.ts'
import type { AccountAction } from './account-actions.ts'

/**
 * Returns the text whose SHA-256 is the digest of an action. Its prefix is reserved, so no signed message equals it.
 */
export const toAccountActionText = ({ method, params }: AccountAction): string =>
  `${proofTag}account-action/1\n${JSON.stringify([method, ...params])}`

/**
 * Account actions: operations on the account that need approval but no signature. They use the same confirmations as
 * signatures, on the card or on the confirmation page.
 */
import * as v from 'valibot'
import { mfaMethodTypes } from '../../entities/mfa-methods.ts'
import { evmAddress } from '../../entities/wallets/chain-primitives.ts'
import { walletAddress } from '../../entities/wallets/wallet-address.ts'
import { userRecoveries } from '../../vault/recovery.ts'
import { type SignableRequest, signableRequestSchema } from '../sign/wallet.ts'

export const accountActionSchema = v.variant('method', [
  /** Shows the private key of the wallet to the user. */
  v.object({ method: v.literal('export'), params: v.tuple([walletAddress]) }),
  /** Imports the key of this address as the user's wallet. Only the import page approves it. */
  v.object({ method: v.literal('import'), params: v.tuple([evmAddress]) }),
  v.object({ method: v.literal('delete-account'), params: v.tuple([]) }),
  /** Sets the wallet's recovery method. */
  v.object({
    method: v.literal('set-recovery'),
    params: v.tuple([walletAddress, v.picklist(userRecoveries)]),
  }),
  /** Removes a second factor. */
  v.object({ method: v.literal('remove-method'), params: v.tuple([v.picklist(mfaMethodTypes)]) }),
])
export type AccountAction = v.InferOutput<typeof accountActionSchema>

/** All requests that need a confirmation. */
export const confirmableRequestSchema = v.variant('method', [
  ...signableRequestSchema.options,
  ...accountActionSchema.options,
])
export type ConfirmableRequest = SignableRequest | AccountAction

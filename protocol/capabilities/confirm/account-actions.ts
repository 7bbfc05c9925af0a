/**
 * What is done with an account, and not with what it signs: approved like a signature, by the same record of minutes.
 * Whoever asks for one is asked for it in words, by the card or by the page; nobody signs anything.
 */
import * as v from 'valibot'
import { mfaMethodTypes } from '../../entities/user.ts'
import { evmAddress } from '../../entities/wallets/chain-primitives.ts'
import { walletAddress } from '../../entities/wallets/wallet-address.ts'
import type { WalletPurpose } from '../../vault/purposes.ts'
import { userRecoveries } from '../../vault/recovery.ts'
import { type SignableRequest, signableRequestSchema } from '../sign/wallet.ts'

export const accountActionSchema = v.variant('method', [
  /** The key of the wallet is shown to its user. */
  v.object({ method: v.literal('export'), params: v.tuple([walletAddress]) }),
  /** The key of this address becomes the user's wallet. Only the import page approves it. */
  v.object({ method: v.literal('import'), params: v.tuple([evmAddress]) }),
  v.object({ method: v.literal('delete-account'), params: v.tuple([]) }),
  /** The wallet is brought back by this method from now on. */
  v.object({
    method: v.literal('set-recovery'),
    params: v.tuple([walletAddress, v.picklist(userRecoveries)]),
  }),
  /** One that verifies no longer does. */
  v.object({ method: v.literal('remove-method'), params: v.tuple([v.picklist(mfaMethodTypes)]) }),
])
export type AccountAction = v.InferOutput<typeof accountActionSchema>

/** Whatever a person is asked for. */
export const confirmableRequestSchema = v.variant('method', [
  ...signableRequestSchema.options,
  ...accountActionSchema.options,
])
export type ConfirmableRequest = SignableRequest | AccountAction

/** What a confirmation is for: a token for another purpose does not take it. */
export const confirmedPurposes = {
  personal_sign: 'sign',
  eth_signTypedData_v4: 'sign',
  eth_signTransaction: 'sign',
  signMessage: 'sign',
  export: 'export',
  import: 'import',
  'set-recovery': 'set-recovery',
  'delete-account': 'delete-account',
  'remove-method': 'mfa',
} as const satisfies Record<ConfirmableRequest['method'], WalletPurpose>

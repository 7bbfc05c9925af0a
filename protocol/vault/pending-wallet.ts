/** The reserved slot of a wallet that is not created yet. */
import * as v from 'valibot'
import { id } from '../entities/primitives.ts'
import { chainTypes } from '../entities/wallets/chain-types.ts'
import { serverSealingKeySchema, shareKinds } from './shares.ts'

export const generation = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

/** Identifies a wallet and the generation of its secret. */
export const walletLine = {
  walletId: id,
  userId: id,
  kind: v.picklist(shareKinds),
  chain: v.picklist(chainTypes),
  generation,
}

export const pendingWalletSchema = v.object({
  status: v.literal('pending'),
  ...walletLine,
  sealingKey: serverSealingKeySchema,
})
export type PendingWallet = v.InferOutput<typeof pendingWalletSchema>

/** Wallet accounts, and the fields that all accounts share. */
import * as v from 'valibot'
import { epochSeconds, text } from '../primitives.ts'
import { chainTypes } from './chain-types.ts'

const times = {
  verifiedAt: epochSeconds,
  firstVerifiedAt: v.nullable(epochSeconds),
  latestVerifiedAt: v.nullable(epochSeconds),
}

/* @__NO_SIDE_EFFECTS__ */
export function account<const T extends string, E extends v.ObjectEntries>(type: T, entries: E) {
  return v.object({ type: v.literal(type), ...entries, ...times })
}

/** User-owned recovery methods. */
export const userOwnedRecoveryOptions = ['user-passcode', 'google-drive', 'icloud', 'passkey'] as const
export const recoveryMethods = ['latchkey', ...userOwnedRecoveryOptions] as const
export type RecoveryMethod = (typeof recoveryMethods)[number]

/** An external or an embedded wallet, distinguished by `walletClientType`. */
export const walletAccountSchema = account('wallet', {
  address: text,
  chainType: v.picklist(chainTypes),
  chainId: v.exactOptional(text),
  publicKey: v.exactOptional(text),
  walletClient: v.exactOptional(v.picklist(['unknown', 'latchkey'])),
  walletClientType: v.exactOptional(text),
  connectorType: v.exactOptional(text),
  imported: v.exactOptional(v.boolean()),
  walletIndex: v.exactOptional(v.number()),
  recoveryMethod: v.exactOptional(v.picklist(recoveryMethods)),
})
export type WalletAccount = v.InferOutput<typeof walletAccountSchema>
/** A connected wallet without proof of ownership. */
export type ConnectedWallet = Pick<
  WalletAccount,
  'type' | 'address' | 'chainType' | 'chainId' | 'walletClientType' | 'connectorType'
>

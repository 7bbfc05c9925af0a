/**
 * Lenient schemas of the dialog's answers for the loader. Pinned loaders stay on customers' pages for years. So they
 * validate only what the loader and its host rely on, and accept anything else, such as account types of later
 * releases. Their types are those of the current entities.
 */
import * as v from 'valibot'
import type { HostAccount } from '../entities/linked-account.ts'
import type { User } from '../entities/user.ts'
import type { WalletAccount } from '../entities/wallets/wallet-account.ts'

export type Lenient<T> = v.GenericSchema<T, T>

const text = v.string()
/** Accepts any other field. */
export const lenientAccount = v.looseObject({
  type: text,
  verifiedAt: v.number(),
}) as unknown as Lenient<HostAccount>
export const lenientWallet = v.looseObject({ type: text, address: text }) as unknown as Lenient<WalletAccount>
export const lenientUser = v.looseObject({
  id: text,
  createdAt: v.number(),
  linkedAccounts: v.array(lenientAccount),
}) as unknown as Lenient<User>

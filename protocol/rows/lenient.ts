/**
 * What the loader takes of the dialog's answers. Its schemas are on every customer's page, pinned for years: they say
 * the least that the loader and its host rely on, and let everything else through, such as an account of a kind
 * that came later. Their types are those of the entities as the present release knows them.
 */
import * as v from 'valibot'
import type { HostAccount } from '../entities/linked-account.ts'
import type { User } from '../entities/user.ts'
import type { WalletAccount } from '../entities/wallets/wallet-account.ts'

export type Lenient<T> = v.GenericSchema<T, T>

const text = v.string()
/** An account may have whatever else an account of its kind has. */
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

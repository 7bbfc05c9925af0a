/**
 * What the loader takes of the dialog's answers. Its schemas are on every customer's page, pinned for years: they say
 * the least that the loader and its host rely on, and let everything else through, such as an account of a kind
 * that came later. Their types are those of the entities as the present release knows them.
 */
import * as v from 'valibot'
import type { LinkedAccount, WalletAccount } from '../entities/linked-account.ts'
import type { User } from '../entities/user.ts'

export type Loosely<T> = v.GenericSchema<T, T>

const text = v.string()
/** With whatever else an account of its kind has. */
export const looseAccount = v.looseObject({
  type: text,
  verifiedAt: v.number(),
}) as unknown as Loosely<LinkedAccount>
export const looseWallet = v.looseObject({ type: text, address: text }) as unknown as Loosely<WalletAccount>
export const looseUser = v.looseObject({
  id: text,
  createdAt: v.number(),
  linkedAccounts: v.array(looseAccount),
}) as unknown as Loosely<User>

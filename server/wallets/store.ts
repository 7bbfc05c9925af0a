import type { Row } from '../db/schema.ts'
import type { Reader, Trx } from '../ports.ts'

export type Wallet = Row<'wallets'>
export type CommittedWalletRow = Wallet & {
  readonly address: string
  readonly auth_share: string
  readonly recovery_share: string
}

export const committedWalletsOf = (reader: Reader, userId: string): Promise<Wallet[]> =>
  reader
    .selectFrom('wallets')
    .selectAll()
    .where('user_id', '=', userId)
    .where('status', '=', 'committed')
    .orderBy('chain_type')
    .execute()

export const findWallet = (
  reader: Reader,
  owner: { readonly userId: string; readonly appId: string },
  chainType: Wallet['chain_type'],
): Promise<Wallet | undefined> =>
  reader
    .selectFrom('wallets')
    .selectAll()
    .where('user_id', '=', owner.userId)
    .where('app_id', '=', owner.appId)
    .where('chain_type', '=', chainType)
    .executeTakeFirst()

/** Nothing happens where the user has a place for this chain already. */
export async function openPlace(reader: Reader, wallet: Wallet): Promise<void> {
  await reader
    .insertInto('wallets')
    .values(wallet)
    .onConflict((conflict) => conflict.columns(['user_id', 'chain_type']).doNothing())
    .execute()
}

type Contents = {
  readonly walletId: string
  readonly userId: string
  readonly generation: number
  readonly address: string
  readonly recoveryMethod: string
  readonly authShare: string
  readonly recoveryShare: string
  readonly nowSeconds: number
}

/** Compare and set: of several who fill the place, one does. */
export async function fillPlace(trx: Trx, contents: Contents): Promise<Wallet | undefined> {
  return trx
    .updateTable('wallets')
    .set({
      status: 'committed',
      address: contents.address,
      recovery_method: contents.recoveryMethod,
      auth_share: contents.authShare,
      recovery_share: contents.recoveryShare,
      committed_at: contents.nowSeconds,
    })
    .where('id', '=', contents.walletId)
    .where('user_id', '=', contents.userId)
    .where('generation', '=', contents.generation)
    .where('status', '=', 'pending')
    .returningAll()
    .executeTakeFirst()
}

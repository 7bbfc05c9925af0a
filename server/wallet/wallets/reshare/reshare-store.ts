import type { Row } from '../../../kernel/db/schema.ts'
import { randomId } from '../../../kernel/ids.ts'
import type { Reader, Trx } from '../../../kernel/ports.ts'
import { walletNotFound } from '../custody.ts'
import type { Wallet } from '../store.ts'

export type Reshare = Row<'wallet_reshares'>
export type CompleteReshare = Reshare & {
  [column in 'auth_share' | 'recovery_share']: string
} & { recovery_method: NonNullable<Reshare['recovery_method']> }

export type ReshareKey = {
  walletId: string
  generation: number
  operationId: string
}

/** Inserts a reshare attempt and returns its generation, which is never reused. */
export async function openReshare(
  trx: Trx,
  wallet: Wallet,
  { operationId, expiresAt }: { operationId: string; expiresAt: number },
): Promise<number> {
  const { last_generation: generation } = await trx
    .updateTable('wallets')
    .set((row) => ({ last_generation: row('last_generation', '+', 1) }))
    .where('id', '=', wallet.id)
    .returning('last_generation')
    // The user was deleted meanwhile.
    .executeTakeFirstOrThrow(walletNotFound)
  await trx
    .insertInto('wallet_reshares')
    .values({
      id: randomId(),
      wallet_id: wallet.id,
      generation,
      base_generation: wallet.generation,
      operation_id: operationId,
      recovery_method: null,
      auth_share: null,
      recovery_share: null,
      recovery_access: null,
      expires_at: expiresAt,
    })
    .execute()
  return generation
}

export const findReshare = (
  reader: Reader,
  { walletId, generation, operationId }: ReshareKey,
  nowSeconds: number,
): Promise<Reshare | undefined> =>
  reader
    .selectFrom('wallet_reshares')
    .selectAll()
    .where('wallet_id', '=', walletId)
    .where('generation', '=', generation)
    .where('operation_id', '=', operationId)
    .where('expires_at', '>', nowSeconds)
    .executeTakeFirst()

export async function fillReshare(
  reader: Reader,
  { walletId, generation, operationId }: ReshareKey,
  shares: Pick<Reshare, 'auth_share' | 'recovery_method' | 'recovery_share' | 'recovery_access'>,
): Promise<void> {
  await reader
    .updateTable('wallet_reshares')
    .set(shares)
    .where('wallet_id', '=', walletId)
    .where('generation', '=', generation)
    .where('operation_id', '=', operationId)
    .execute()
}

/** Replaces the current shares by compare-and-set and deletes all reshare attempts. Returns false on a conflict. */
export async function replaceShares(trx: Trx, wallet: Wallet, reshare: CompleteReshare): Promise<boolean> {
  const replaced = await trx
    .updateTable('wallets')
    .set({
      generation: reshare.generation,
      recovery_method: reshare.recovery_method,
      auth_share: reshare.auth_share,
      recovery_share: reshare.recovery_share,
      recovery_access: reshare.recovery_access,
    })
    .where('id', '=', wallet.id)
    .where('status', '=', 'committed')
    .where('generation', '=', reshare.base_generation)
    .returning('id')
    .executeTakeFirst()
  if (!replaced) return false
  await trx.deleteFrom('wallet_reshares').where('wallet_id', '=', wallet.id).execute()
  return true
}

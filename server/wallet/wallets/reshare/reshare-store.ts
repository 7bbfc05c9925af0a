import type { Row } from '../../../kernel/db/schema.ts'
import { randomId } from '../../../kernel/ids.ts'
import type { Reader, Trx } from '../../../kernel/ports.ts'
import { walletNotFound } from '../custody.ts'
import type { Wallet } from '../store.ts'

export type Reshare = Row<'wallet_reshares'>
export type WholeReshare = Reshare & {
  [column in 'auth_share' | 'recovery_share']: string
} & { recovery_method: NonNullable<Reshare['recovery_method']> }

export type ReshareKey = {
  walletId: string
  generation: number
  operationId: string
}

/** Answers its generation, which no other attempt ever gets. */
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
    // Its user was deleted meanwhile.
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

/** Compare and set. What was present goes with this statement, and so does every other attempt. */
export async function replaceShares(trx: Trx, wallet: Wallet, made: WholeReshare): Promise<boolean> {
  const replaced = await trx
    .updateTable('wallets')
    .set({
      generation: made.generation,
      recovery_method: made.recovery_method,
      auth_share: made.auth_share,
      recovery_share: made.recovery_share,
      recovery_access: made.recovery_access,
    })
    .where('id', '=', wallet.id)
    .where('status', '=', 'committed')
    .where('generation', '=', made.base_generation)
    .returning('id')
    .executeTakeFirst()
  if (!replaced) return false
  await trx.deleteFrom('wallet_reshares').where('wallet_id', '=', wallet.id).execute()
  return true
}

import type { Reader, Trx } from '../../kernel/ports.ts'
import { type SiweTables, siweTables } from './tables.ts'

export type Nonce = SiweTables['siwe_nonces']

export async function putNonce(trx: Trx, nonce: Nonce): Promise<void> {
  await siweTables(trx).insertInto('siwe_nonces').values(nonce).execute()
}

/** Only the browser that asked for the nonce has its key. */
export type NonceKey = { readonly appId: string; readonly nonce: string; readonly binding: string }

/** A nonce that one call has: no other call finds it until it is let go. */
export type HeldNonce = NonceKey & { readonly heldBy: string }

/**
 * Takes the nonce for the one call that asks about its message. Undefined where another call has it, and where it is
 * used or expired.
 */
export const holdNonce = (
  trx: Trx,
  { appId, nonce, binding, heldBy }: HeldNonce,
  nowSeconds: number,
): Promise<Nonce | undefined> =>
  siweTables(trx)
    .updateTable('siwe_nonces')
    .set({ held_by: heldBy })
    .where('app_id', '=', appId)
    .where('nonce', '=', nonce)
    .where('binding', '=', binding)
    .where('expires_at', '>', nowSeconds)
    .where((row) => row.or([row('held_by', 'is', null), row('held_by', '=', heldBy)]))
    .returningAll()
    .executeTakeFirst()

/** Nobody said whether the signature is right, so the message can be brought again. */
export async function letGoOfNonce(
  reader: Reader,
  { appId, nonce, binding, heldBy }: HeldNonce,
): Promise<void> {
  await siweTables(reader)
    .updateTable('siwe_nonces')
    .set({ held_by: null })
    .where('app_id', '=', appId)
    .where('nonce', '=', nonce)
    .where('binding', '=', binding)
    .where('held_by', '=', heldBy)
    .execute()
}

/** True for the call that holds it. */
export async function useUpNonce(trx: Trx, { appId, nonce, binding, heldBy }: HeldNonce): Promise<boolean> {
  const used = await siweTables(trx)
    .deleteFrom('siwe_nonces')
    .where('app_id', '=', appId)
    .where('nonce', '=', nonce)
    .where('binding', '=', binding)
    .where('held_by', '=', heldBy)
    .returning('nonce')
    .executeTakeFirst()
  return used !== undefined
}

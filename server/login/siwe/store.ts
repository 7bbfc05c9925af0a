import type { Trx } from '../../ports.ts'
import { type SiweTables, siweTables } from './tables.ts'

export type Nonce = SiweTables['siwe_nonces']

export async function putNonce(trx: Trx, nonce: Nonce): Promise<void> {
  await siweTables(trx).insertInto('siwe_nonces').values(nonce).execute()
}

/** Only the browser that asked for it has it. */
export type NonceKey = { readonly appId: string; readonly nonce: string; readonly binding: string }

export const findNonce = (
  trx: Trx,
  { appId, nonce, binding }: NonceKey,
  nowSeconds: number,
): Promise<Nonce | undefined> =>
  siweTables(trx)
    .selectFrom('siwe_nonces')
    .selectAll()
    .where('app_id', '=', appId)
    .where('nonce', '=', nonce)
    .where('binding', '=', binding)
    .where('expires_at', '>', nowSeconds)
    .executeTakeFirst()

/** True for the one that uses it. */
export async function useUpNonce(trx: Trx, { appId, nonce, binding }: NonceKey): Promise<boolean> {
  const used = await siweTables(trx)
    .deleteFrom('siwe_nonces')
    .where('app_id', '=', appId)
    .where('nonce', '=', nonce)
    .where('binding', '=', binding)
    .returning('nonce')
    .executeTakeFirst()
  return used !== undefined
}

import type { Reader, Trx } from '../../../../kernel/ports.ts'
import type { Owner, Wallet } from '../../store.ts'
import { recoveryPasskeyTables } from '../../tables.ts'

/** Stores a new passkey until a wallet uses it, or for half an hour. */
export async function saveNewPasskey(
  trx: Trx,
  { appId, userId }: Owner,
  { credentialId, passkey, expiresAt }: NewRow,
): Promise<void> {
  const row = { passkey, expires_at: expiresAt }
  await recoveryPasskeyTables(trx)
    .insertInto('recovery_passkeys')
    .values({ app_id: appId, user_id: userId, credential_id: credentialId, ...row })
    .onConflict((conflict) => conflict.columns(['app_id', 'user_id', 'credential_id']).doUpdateSet(row))
    .execute()
}
type NewRow = { credentialId: string; passkey: string; expiresAt: number }

export async function findNewPasskey(
  reader: Reader,
  { appId, userId }: Owner,
  credentialId: string,
  nowSeconds: number,
): Promise<string | undefined> {
  const row = await recoveryPasskeyTables(reader)
    .selectFrom('recovery_passkeys')
    .select('passkey')
    .where('app_id', '=', appId)
    .where('user_id', '=', userId)
    .where('credential_id', '=', credentialId)
    .where('expires_at', '>', nowSeconds)
    .executeTakeFirst()
  return row?.passkey
}

/** Updates the stored passkey by compare-and-set. Two assertions with one counter value reveal a cloned passkey. */
export async function updatePasskeyCounter(
  trx: Trx,
  { id }: Pick<Wallet, 'id'>,
  previous: string,
  next: string,
): Promise<boolean> {
  const updated = await trx
    .updateTable('wallets')
    .set({ recovery_access: next })
    .where('id', '=', id)
    .where('recovery_access', '=', previous)
    .returning('id')
    .executeTakeFirst()
  return updated !== undefined
}

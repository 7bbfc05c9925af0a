import type { Reader, Trx } from '../../../../kernel/ports.ts'
import type { Owner, Wallet } from '../../store.ts'
import { recoveryPasskeyTables } from '../../tables.ts'

/** A new passkey is kept here until a wallet takes it over, or for half an hour. */
export async function putNewPasskey(
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
  const found = await recoveryPasskeyTables(reader)
    .selectFrom('recovery_passkeys')
    .select('passkey')
    .where('app_id', '=', appId)
    .where('user_id', '=', userId)
    .where('credential_id', '=', credentialId)
    .where('expires_at', '>', nowSeconds)
    .executeTakeFirst()
  return found?.passkey
}

/** Compare and set: of two answers with the same count one is a copy's. */
export async function countPasskeyOn(
  trx: Trx,
  { id }: Pick<Wallet, 'id'>,
  before: string,
  after: string,
): Promise<boolean> {
  const counted = await trx
    .updateTable('wallets')
    .set({ recovery_access: after })
    .where('id', '=', id)
    .where('recovery_access', '=', before)
    .returning('id')
    .executeTakeFirst()
  return counted !== undefined
}

import type { Reader, Trx } from '../../kernel/ports.ts'
import { type PasskeyTables, passkeyTables } from './tables.ts'

export type Passkey = PasskeyTables['passkeys']

export const findPasskey = (
  reader: Reader,
  appId: string,
  credentialId: string,
): Promise<Passkey | undefined> =>
  passkeyTables(reader)
    .selectFrom('passkeys')
    .selectAll()
    .where('app_id', '=', appId)
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()

export const findPasskeys = (reader: Reader, appId: string, userId: string): Promise<Passkey[]> =>
  passkeyTables(reader)
    .selectFrom('passkeys')
    .selectAll()
    .where('app_id', '=', appId)
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()

/** Returns whether any app has this passkey. All apps share one relying party. */
export async function isKnown(reader: Reader, credentialId: string): Promise<boolean> {
  const passkey = await passkeyTables(reader)
    .selectFrom('passkeys')
    .select('app_id')
    .where('credential_id', '=', credentialId)
    .limit(1)
    .executeTakeFirst()
  return passkey !== undefined
}

export async function putPasskey(trx: Trx, passkey: Passkey): Promise<void> {
  await passkeyTables(trx)
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.columns(['app_id', 'credential_id']).doNothing())
    .execute()
}

/**
 * Updates the counter. Returns false if the passkey is gone or its counter increased meanwhile, which means that one of
 * two responses came from a copy. Authenticators without a counter always send 0.
 */
export async function countOn(
  trx: Trx,
  { app_id, credential_id }: Pick<Passkey, 'app_id' | 'credential_id'>,
  counter: number,
): Promise<boolean> {
  const counted = await passkeyTables(trx)
    .updateTable('passkeys')
    .set({ counter })
    .where('app_id', '=', app_id)
    .where('credential_id', '=', credential_id)
    .where('counter', counter === 0 ? '=' : '<', counter)
    .returning('credential_id')
    .executeTakeFirst()
  return counted !== undefined
}

export async function removePasskey(trx: Trx, appId: string, credentialId: string): Promise<void> {
  await passkeyTables(trx)
    .deleteFrom('passkeys')
    .where('app_id', '=', appId)
    .where('credential_id', '=', credentialId)
    .execute()
}

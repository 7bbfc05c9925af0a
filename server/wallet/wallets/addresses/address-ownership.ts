/**
 * An address belongs to one user of an app, whether linked or stored as a wallet. These are two tables without a
 * shared constraint. So each writer locks the address until its transaction ends. A concurrent writer waits and then
 * sees the first one's rows.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { findAccountOwner, toWalletName } from '../../../identity/users/users.ts'
import { type Clock, nowSeconds, type Reader, type Trx } from '../../../kernel/ports.ts'
import { hasAddress, type Owner } from '../store.ts'
import { heldAddressTables } from '../tables.ts'

export async function lockAddress(trx: Trx, clock: Clock, appId: string, address: string): Promise<void> {
  const { identifier } = toWalletName(address)
  await heldAddressTables(trx)
    .insertInto('held_addresses')
    // Writing the row takes the lock. The row itself expires at once.
    .values({ app_id: appId, identifier, expires_at: nowSeconds(clock) })
    .onConflict((conflict) =>
      conflict
        .columns(['app_id', 'identifier'])
        .doUpdateSet((row) => ({ expires_at: row.ref('excluded.expires_at') })),
    )
    .execute()
}

/** Returns the id of the user with this canonical wallet address. */
export async function findWalletOwner(
  reader: Reader,
  appId: string,
  address: string,
): Promise<string | undefined> {
  const wallet = await reader
    .selectFrom('wallets')
    .select('user_id')
    .where('app_id', '=', appId)
    .where(hasAddress(address))
    .where('status', '=', 'committed')
    .executeTakeFirst()
  return wallet?.user_id
}

/** Throws if the address belongs to another user. The caller has locked it. The user's own link is allowed. */
export async function assertAddressAvailable(
  trx: Trx,
  { appId, userId }: Owner,
  address: string,
): Promise<void> {
  const users = [
    await findWalletOwner(trx, appId, address),
    await findAccountOwner(trx, appId, toWalletName(address)),
  ]
  if (users.every((user) => user === undefined || user === userId)) return
  throw new LatchkeyError('linked_to_another_user', 'This wallet is another user’s')
}

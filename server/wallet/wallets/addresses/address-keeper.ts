/**
 * One address is of one user of an app, whether they linked it or have its key kept here. Those are rows of two tables,
 * and no constraint is over both: so whoever adds either holds the address first, until their transaction ends. Of two
 * at once the second waits, and then sees what the first has done.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { ownerOfAccount, walletNamed } from '../../../identity/users/users.ts'
import { type Clock, nowSeconds, type Reader, type Trx } from '../../../kernel/ports.ts'
import type { Owner } from '../store.ts'
import { heldAddresses } from '../tables.ts'

export async function holdAddress(trx: Trx, clock: Clock, appId: string, address: string): Promise<void> {
  const { identifier } = walletNamed(address)
  await heldAddresses(trx)
    .insertInto('held_addresses')
    // It holds by being written, and is worth nothing after that.
    .values({ app_id: appId, identifier, expires_at: nowSeconds(clock) })
    .onConflict((conflict) =>
      conflict
        .columns(['app_id', 'identifier'])
        .doUpdateSet((row) => ({ expires_at: row.ref('excluded.expires_at') })),
    )
    .execute()
}

/** The user who has the key of this address kept here. `address` is as its chain writes it. */
export async function keeperOf(reader: Reader, appId: string, address: string): Promise<string | undefined> {
  const wallet = await reader
    .selectFrom('wallets')
    .select('user_id')
    .where('app_id', '=', appId)
    .where('address', '=', address)
    .where('status', '=', 'committed')
    .executeTakeFirst()
  return wallet?.user_id
}

/** The caller holds the address. That its user has linked it themselves is no obstacle: they log in with it. */
export async function assertNobodyElses(trx: Trx, { appId, userId }: Owner, address: string): Promise<void> {
  const users = [await keeperOf(trx, appId, address), await ownerOfAccount(trx, appId, walletNamed(address))]
  if (users.every((user) => user === undefined || user === userId)) return
  throw new LatchkeyError('linked_to_another_user', 'This wallet is another user’s')
}

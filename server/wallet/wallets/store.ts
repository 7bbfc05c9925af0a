import { type ChainType, product } from '@latchkey/protocol'
import type { ShareKind, WalletPurpose } from '@latchkey/protocol/wallet'
import type { Row } from '../../kernel/db/schema.ts'
import type { Reader, Trx } from '../../kernel/ports.ts'
import { afterCommit } from '../../kernel/telemetry/after-commit.ts'
import { counter } from '../../kernel/telemetry/instruments.ts'

export type Wallet = Row<'wallets'>
export type Owner = { userId: string; appId: string }

/** The user's one place for a wallet of this chain, pending or committed. */
export const findPlace = (reader: Reader, owner: Owner, chain: ChainType): Promise<Wallet | undefined> =>
  walletsOf(reader, owner).where('chain_type', '=', chain).executeTakeFirst()

export const findWallet = (reader: Reader, owner: Owner, id: string): Promise<Wallet | undefined> =>
  walletsOf(reader, owner).where('id', '=', id).executeTakeFirst()

const walletsOf = (reader: Reader, { userId, appId }: Owner) =>
  reader.selectFrom('wallets').selectAll().where('user_id', '=', userId).where('app_id', '=', appId)

/** Nothing happens where the user has a place for this chain already. */
export async function openPlace(reader: Reader, wallet: Wallet): Promise<void> {
  await reader
    .insertInto('wallets')
    .values(wallet)
    .onConflict((conflict) => conflict.columns(['user_id', 'chain_type']).doNothing())
    .execute()
}

type Contents = Pick<Wallet, 'recovery_method' | 'recovery_access'> & {
  address: string
  auth_share: string
  recovery_share: string
  committed_at: number
}

/** Compare and set: of several who fill the place, one does. */
export async function fillPlace(trx: Trx, place: Wallet, contents: Contents): Promise<boolean> {
  const filled = await trx
    .updateTable('wallets')
    .set({ status: 'committed', kind: place.kind, ...contents })
    .where('id', '=', place.id)
    .where('generation', '=', place.generation)
    .where('status', '=', 'pending')
    .returning('id')
    .executeTakeFirst()
  return filled !== undefined
}

/** Whether the address is of a wallet that was made here, whoever has it. The key of an imported one is elsewhere too. */
export async function isOwnWallet(reader: Reader, appId: string, address: string): Promise<boolean> {
  const wallet = await reader
    .selectFrom('wallets')
    .select('id')
    .where('app_id', '=', appId)
    .where('address', '=', address)
    .where('kind', '=', 'entropy')
    .where('status', '=', 'committed')
    .executeTakeFirst()
  return wallet !== undefined
}

/**
 * Deletes wallets with every share of them, and every attempt at another generation: nobody can recover them from here
 * on.
 */
export async function destroyWallets(trx: Trx, { userId, appId }: Owner): Promise<void> {
  // First, so that no attempt is opened meanwhile: whoever opens one holds its wallet.
  const destroyed = await trx
    .deleteFrom('wallets')
    .where('user_id', '=', userId)
    .where('app_id', '=', appId)
    .returning('id')
    .execute()
  const ids = destroyed.map(({ id }) => id)
  if (ids.length > 0) await trx.deleteFrom('wallet_reshares').where('wallet_id', 'in', ids).execute()
}

/** More than anybody makes of one wallet between two backups. */
const skippedGenerations = 1_000

export async function skipGenerations(reader: Reader): Promise<void> {
  await reader
    .updateTable('wallets')
    .set((row) => ({ last_generation: row('last_generation', '+', skippedGenerations) }))
    .execute()
}

/** Wallets that were made, and how often their shares leave. */
const created = counter({
  name: `${product.key}.wallets.created`,
  unit: '{wallet}',
  description: 'Wallets that were created or imported, by chain',
  attributes: ['chain', 'origin'],
})
const releases = counter({
  name: `${product.key}.wallets.releases`,
  unit: '{release}',
  description: 'Shares that were released, by what for: signatures, recoveries, exports and so on',
  attributes: ['purpose'],
})

export const countWallet = (trx: Trx, chain: ChainType, kind: ShareKind): void =>
  afterCommit(trx, () => created.add({ chain, origin: kind === 'entropy' ? 'created' : 'imported' }))

export const countReleased = (trx: Trx, purpose: WalletPurpose): void =>
  afterCommit(trx, () => releases.add({ purpose }))

import { type ChainType, product } from '@latchkey/protocol'
import type { ShareKind, WalletPurpose } from '@latchkey/protocol/wallet'
import type { ExpressionBuilder } from 'kysely'
import type { Database, Row } from '../../kernel/db/schema.ts'
import type { Reader, Trx } from '../../kernel/ports.ts'
import { afterCommit } from '../../kernel/telemetry/after-commit.ts'
import { counter } from '../../kernel/telemetry/instruments.ts'

export type Wallet = Row<'wallets'>
export type Owner = { userId: string; appId: string }

/** Finds the user's wallet for this chain, pending or committed. */
export const findWalletSlot = (reader: Reader, owner: Owner, chain: ChainType): Promise<Wallet | undefined> =>
  selectWallets(reader, owner).where('chain_type', '=', chain).executeTakeFirst()

export const findWallet = (reader: Reader, owner: Owner, id: string): Promise<Wallet | undefined> =>
  selectWallets(reader, owner).where('id', '=', id).executeTakeFirst()

const selectWallets = (reader: Reader, { userId, appId }: Owner) =>
  reader.selectFrom('wallets').selectAll().where('user_id', '=', userId).where('app_id', '=', appId)

/** Inserts the pending wallet, unless the user already has a wallet for this chain. */
export async function openWalletSlot(reader: Reader, wallet: Wallet): Promise<void> {
  await reader
    .insertInto('wallets')
    .values(wallet)
    .onConflict((conflict) => conflict.columns(['user_id', 'chain_type']).doNothing())
    .execute()
}

type SlotContents = Pick<Wallet, 'recovery_method' | 'recovery_access'> & {
  address: string
  auth_share: string
  recovery_share: string
  committed_at: number
}

/** Commits the pending wallet by compare-and-set. Returns false if another call committed it first. */
export async function fillWalletSlot(trx: Trx, slot: Wallet, contents: SlotContents): Promise<boolean> {
  const filled = await trx
    .updateTable('wallets')
    .set({ status: 'committed', kind: slot.kind, ...contents })
    .where('id', '=', slot.id)
    .where('generation', '=', slot.generation)
    .where('status', '=', 'pending')
    .returning('id')
    .executeTakeFirst()
  return filled !== undefined
}

/**
 * Stores the Solana address of an Ethereum wallet. Returns false if the user has another Solana address. The deletion
 * of a begun Solana wallet waits for its commit, so that of both only one succeeds.
 */
export async function setSolanaAddress(
  trx: Trx,
  { id, user_id: userId, app_id: appId }: Wallet,
  { address, nowSeconds }: { address: string; nowSeconds: number },
): Promise<boolean> {
  await trx
    .deleteFrom('wallets')
    .where('user_id', '=', userId)
    .where('app_id', '=', appId)
    .where('chain_type', '=', 'solana')
    .where('status', '=', 'pending')
    .execute()
  if (await findWalletSlot(trx, { userId, appId }, 'solana')) return false
  const stored = await trx
    .updateTable('wallets')
    .set({ solana_address: address, solana_committed_at: nowSeconds })
    .where('id', '=', id)
    .where('solana_address', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return stored !== undefined
}

/** Matches the wallet with this canonical address: its own, or the Solana address that its secret derives. */
export const hasAddress =
  (address: string) =>
  ({ eb, or }: ExpressionBuilder<Database, 'wallets'>) =>
    or([eb('address', '=', address), eb('solana_address', '=', address)])

/** Whether the address belongs to a wallet created here. An imported key also exists outside, so it does not count. */
export async function isOwnWallet(reader: Reader, appId: string, address: string): Promise<boolean> {
  const wallet = await reader
    .selectFrom('wallets')
    .select('id')
    .where('app_id', '=', appId)
    .where(hasAddress(address))
    .where('kind', '=', 'entropy')
    .where('status', '=', 'committed')
    .executeTakeFirst()
  return wallet !== undefined
}

/**
 * Deletes the user's wallets with all shares and reshare attempts. They cannot be recovered afterwards.
 */
export async function destroyWallets(trx: Trx, { userId, appId }: Owner): Promise<void> {
  // Deleting the wallets first blocks new reshares, because starting one locks the wallet row.
  const destroyed = await trx
    .deleteFrom('wallets')
    .where('user_id', '=', userId)
    .where('app_id', '=', appId)
    .returning('id')
    .execute()
  const ids = destroyed.map(({ id }) => id)
  if (ids.length > 0) await trx.deleteFrom('wallet_reshares').where('wallet_id', 'in', ids).execute()
}

/** More than the number of reshares of one wallet between two backups. */
const skippedGenerations = 1_000

export async function skipGenerations(reader: Reader): Promise<void> {
  await reader
    .updateTable('wallets')
    .set((row) => ({ last_generation: row('last_generation', '+', skippedGenerations) }))
    .execute()
}

const createdCounter = counter({
  name: `${product.key}.wallets.created`,
  unit: '{wallet}',
  description: 'Wallets that were created or imported, by chain',
  attributes: ['chain', 'origin'],
})
const releaseCounter = counter({
  name: `${product.key}.wallets.releases`,
  unit: '{release}',
  description: 'Released shares, by purpose: signatures, recoveries, exports and so on',
  attributes: ['purpose'],
})

export const countWalletCreated = (trx: Trx, chain: ChainType, kind: ShareKind): void =>
  afterCommit(trx, () => createdCounter.add({ chain, origin: kind === 'entropy' ? 'created' : 'imported' }))

export const countShareRelease = (trx: Trx, purpose: WalletPurpose): void =>
  afterCommit(trx, () => releaseCounter.add({ purpose }))

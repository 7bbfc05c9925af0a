import type { SignerStatus } from '@latchkey/protocol/wallet'
import type { Reader, Trx } from '../../kernel/ports.ts'
import { type SignerTables, signerTables } from './tables.ts'

export type Signer = SignerTables['farcaster_signers']
export type SignerKey = Pick<Signer, 'wallet_id' | 'key_index'>
type Owner = { appId: string; userId: string }

const signers = (reader: Reader, { appId, userId }: Owner) =>
  signerTables(reader)
    .selectFrom('farcaster_signers')
    .selectAll()
    .where('user_id', '=', userId)
    .where('app_id', '=', appId)

const selectLatest = (reader: Reader, owner: Owner, walletId: string) =>
  signers(reader, owner).where('wallet_id', '=', walletId).orderBy('key_index', 'desc').limit(1)

/** Finds the latest signer of this wallet for this account. Earlier ones are revoked. */
export const latestSigner = (
  reader: Reader,
  owner: Owner,
  walletId: string,
  fid: number,
): Promise<Signer | undefined> =>
  selectLatest(reader, owner, walletId).where('fid', '=', fid).executeTakeFirst()

/** Returns the next key index. An index is never reused for another account. */
export async function nextIndex(trx: Trx, walletId: string): Promise<number> {
  const { last } = await signerTables(trx)
    .selectFrom('farcaster_signers')
    .select(({ fn }) => fn.max<number | null>('key_index').as('last'))
    .where('wallet_id', '=', walletId)
    .executeTakeFirstOrThrow()
  return last === null ? 0 : last + 1
}

export const signerOfOperation = (
  reader: Reader,
  owner: Owner,
  walletId: string,
  operation: string,
): Promise<Signer | undefined> =>
  selectLatest(reader, owner, walletId).where('operation', '=', operation).executeTakeFirst()

export const signerOfKey = (reader: Reader, owner: Owner, publicKey: string): Promise<Signer | undefined> =>
  signers(reader, owner).where('public_key', '=', publicKey).executeTakeFirst()

/** Finds the approved signer of this Farcaster account. */
export const approvedSigner = (reader: Reader, owner: Owner, fid: number): Promise<Signer | undefined> =>
  signers(reader, owner)
    .where('fid', '=', fid)
    .where('status', '=', 'approved')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()

export async function addSigner(trx: Trx, signer: Signer): Promise<void> {
  await signerTables(trx).insertInto('farcaster_signers').values(signer).execute()
}

export async function changeSigner(
  reader: Reader,
  key: SignerKey,
  change: Partial<Pick<Signer, 'operation' | 'public_key' | 'request_token' | 'approval_url' | 'deadline'>>,
): Promise<void> {
  await signerTables(reader)
    .updateTable('farcaster_signers')
    .set(change)
    .where('wallet_id', '=', key.wallet_id)
    .where('key_index', '=', key.key_index)
    .execute()
}

/** Sets the status. Returns false if it is unchanged. A revoked signer stays revoked. */
export async function setStatus(
  trx: Trx,
  { wallet_id, key_index }: SignerKey,
  status: Exclude<SignerStatus, 'pending_approval'>,
): Promise<boolean> {
  const changed = await signerTables(trx)
    .updateTable('farcaster_signers')
    .set({ status })
    .where('wallet_id', '=', wallet_id)
    .where('key_index', '=', key_index)
    .where('status', '!=', status)
    .where('status', '!=', 'revoked')
    .returning('key_index')
    .executeTakeFirst()
  return changed !== undefined
}

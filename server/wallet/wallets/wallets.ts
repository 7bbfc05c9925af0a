/**
 * Wallets as the server knows them: one place a user and chain, which goes from pending to committed once.
 *
 * Two tabs that create at once get the same place; the first commit fills it, and the other one is told which
 * wallet is there, throws its own away and recovers that one.
 */
import { type ChainType, getChainType, isSameAddress, LatchkeyError } from '@latchkey/protocol'
import type { CommittedWallet, PendingWallet } from '@latchkey/protocol/api'
import type { SealedShare, ShareKind, StoredRecoveryShare } from '@latchkey/protocol/wallet'
import { recordAudit } from '../../identity/audit/audit.ts'
import { livingSession } from '../../identity/sessions/sessions.ts'
import type { ServerContext, WalletToken } from '../../kernel/context.ts'
import { randomId } from '../../kernel/ids.ts'
import { type App, nowSeconds, type Reader } from '../../kernel/ports.ts'
import { useConfirmation } from '../confirm/confirm.ts'
import { assertNobodyElses, holdAddress } from './addresses/address-keeper.ts'
import {
  committedWallet,
  custodyOf,
  invalidCommit,
  lineOf,
  publicSealingKey,
  requireSealingKey,
  rewrap,
  shareContext,
  walletNotFound,
} from './custody.ts'
import { storeRecovery } from './recovery/methods.ts'
import { countWallet, fillPlace, findPlace, findWallet, type Owner, openPlace, type Wallet } from './store.ts'

export { holdAddress, keeperOf } from './addresses/address-keeper.ts'
export { type Custody, committedWallet, custodyOf, requireCustody, walletNotFound } from './custody.ts'
export { tellOfRecovered } from './mail.ts'
export { recoveryNotAllowed } from './recovery/method.ts'
export { assertMethodAllowed } from './recovery/methods.ts'
export { countPasskeyOn, putNewPasskey } from './recovery/passkey/store.ts'
export { countRelease, sealedToStep, sealReleaseFor } from './release.ts'
export { secondFactors } from './second-factors.ts'
export { findPlace, isOwnWallet, type Owner } from './store.ts'
export { walletTokenOfLogin } from './tokens.ts'

export async function beginWallet(
  context: ServerContext,
  caller: WalletToken,
  chain: ChainType,
): Promise<PendingWallet | CommittedWallet> {
  const present = custodyOf(await findPlace(context.db, caller, chain))
  if (present) return committedWallet(present)
  await assertMayStand(context.db, caller, chain)
  const kind = kindBrought(caller, chain)
  await openPlace(context.db, {
    id: `wal_${randomId()}`,
    app_id: caller.appId,
    user_id: caller.userId,
    kind,
    chain_type: chain,
    status: 'pending',
    generation: 1,
    address: null,
    recovery_method: 'latchkey',
    auth_share: null,
    recovery_share: null,
    recovery_access: null,
    last_generation: 1,
    created_at: nowSeconds(context.clock),
    committed_at: null,
  })
  const wallet = await findPlace(context.db, caller, chain)
  if (wallet === undefined) throw walletNotFound()
  const custody = custodyOf(wallet)
  if (custody) return committedWallet(custody)
  const sealingKey = publicSealingKey(context.keyring.sealingKey())
  return { status: 'pending', ...lineOf({ ...wallet, kind }), sealingKey }
}

/** What the wallet is made of: the purpose of the token says it. */
function kindBrought({ step }: WalletToken, chain: ChainType): ShareKind {
  if (step.purpose !== 'import') return 'entropy'
  if (chain === 'ethereum') return 'imported-key'
  throw new LatchkeyError('not_supported', 'Only the key of an Ethereum wallet can be imported')
}

/** No Solana wallet is made beside an Ethereum wallet; an Ethereum wallet may be made beside a Solana one. */
async function assertMayStand(reader: Reader, owner: Owner, chain: ChainType): Promise<void> {
  if (chain === 'ethereum' || !custodyOf(await findPlace(reader, owner, 'ethereum'))) return
  throw new LatchkeyError(
    'embedded_wallet_already_exists',
    'A user who has an Ethereum wallet gets no Solana wallet',
  )
}

export type Commit = {
  walletId: string
  generation: number
  address: string
  sealingKeyId: string
  authShare: SealedShare
  recovery: StoredRecoveryShare
  proof: string
}

/** Fills the place, or leaves it to the wallet that is in it: to be run again it needs no memory. */
/** Returns whether the place has this wallet, also when an earlier call filled it. */
export async function commitWallet(
  context: ServerContext,
  app: App,
  caller: WalletToken,
  commit: Commit,
): Promise<boolean> {
  const found = await findWallet(context.db, caller, commit.walletId)
  if (found === undefined) throw walletNotFound()
  if (found.status === 'committed') return isSameAddress(found.address ?? '', commit.address)
  // One place for both kinds: whoever fills it first says which.
  const place: Wallet = { ...found, kind: kindBrought(caller, found.chain_type) }
  if (place.generation !== commit.generation) throw invalidCommit('The wallet has another generation')
  // The half of all that a server loads, and only who makes wallets needs it.
  const { assertAddressProven, writtenAs } = await import('./addresses/address.ts')
  if (getChainType(commit.address) !== place.chain_type)
    throw invalidCommit('The address is of another chain')
  const address = writtenAs(place.chain_type, commit.address)
  await assertAddressProven(place, address, commit)
  const key = await requireSealingKey(context, commit.sealingKeyId)
  const share = shareContext(place, address)
  const contents = {
    address,
    auth_share: await rewrap(context, key, { ...share, role: 'auth' }, 'auth', commit.authShare),
    ...(await storeRecovery(
      context,
      key,
      { ...share, role: 'recovery' },
      commit.recovery.method,
      commit.recovery,
    )),
    committed_at: nowSeconds(context.clock),
  }

  return context.transaction(async (trx) => {
    // A wallet outlasts the session that made it, and keys were waited for since the token was checked.
    await livingSession(trx, context, caller.sessionId)
    await assertMayStand(trx, caller, place.chain_type)
    await holdAddress(trx, context.clock, caller.appId, address)
    await assertNobodyElses(trx, caller, address)
    if (!(await fillPlace(trx, place, contents))) return false
    if (caller.step.purpose === 'import') {
      await useConfirmation(trx, context, app, caller, { method: 'import', params: [address] })
    }
    countWallet(trx, place.chain_type, place.kind)
    await recordAudit(trx, context.clock, {
      event: place.kind === 'entropy' ? 'wallet.created' : 'wallet.imported',
      appId: caller.appId,
      userId: caller.userId,
      sessionId: caller.sessionId,
      details: { wallet: place.id, chain: place.chain_type, generation: place.generation },
    })
    return true
  })
}

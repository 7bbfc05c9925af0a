/**
 * Creates and commits wallets. Each user has one slot per chain, which changes from pending to committed once.
 *
 * Two tabs that create a wallet at once get the same slot. The first commit fills it. The other tab receives that
 * wallet, discards its own and recovers the committed one.
 */
import { getChainType, isSameAddress } from '@latchkey/protocol'
import type { SealedShare, StoredRecoveryShare } from '@latchkey/protocol/wallet'
import { recordAudit } from '../../identity/audit/audit.ts'
import { requireLivingSession } from '../../identity/sessions/sessions.ts'
import type { ServerContext, WalletToken } from '../../kernel/context.ts'
import { type App, nowSeconds } from '../../kernel/ports.ts'
import { consumeConfirmation } from '../confirm/confirm.ts'
import { assertAddressAvailable, lockAddress } from './addresses/address-ownership.ts'
import { assertChainAllowed, getShareKind } from './begin.ts'
import { invalidCommit, requireSealingKey, rewrap, shareContext, walletNotFound } from './custody.ts'
import { storeRecovery } from './recovery/methods.ts'
import { countWalletCreated, fillWalletSlot, findWallet, type Wallet } from './store.ts'

export { findWalletOwner, lockAddress } from './addresses/address-ownership.ts'
export {
  type Custody,
  committedWallet,
  requireCustody,
  toCustody,
  walletNotFound,
} from './custody.ts'
export { notifyOfRecovery } from './mail.ts'
export { recoveryNotAllowed } from './recovery/method.ts'
export { assertMethodAllowed } from './recovery/methods.ts'
export {
  saveNewPasskey,
  updatePasskeyCounter,
} from './recovery/passkey/store.ts'
export {
  authorizeRelease,
  sealForStep,
  sealSignatureRelease,
} from './release.ts'
export { secondFactors } from './second-factors.ts'
export { findWalletSlot, isOwnWallet, type Owner } from './store.ts'
export { createLoginWalletToken } from './tokens.ts'

export type Commit = {
  walletId: string
  generation: number
  address: string
  sealingKeyId: string
  authShare: SealedShare
  recovery: StoredRecoveryShare
  proof: string
}

/**
 * Fills the slot unless a wallet is in it. Idempotent: returns whether the slot holds this wallet, even if an earlier
 * call filled it.
 */
export async function commitWallet(
  context: ServerContext,
  app: App,
  caller: WalletToken,
  commit: Commit,
): Promise<boolean> {
  const existing = await findWallet(context.db, caller, commit.walletId)
  if (existing === undefined) throw walletNotFound()
  if (existing.status === 'committed') return isSameAddress(existing.address ?? '', commit.address)
  // Created and imported wallets share the slot. The first commit decides its kind.
  const slot: Wallet = { ...existing, kind: getShareKind(caller, existing.chain_type) }
  if (slot.generation !== commit.generation)
    throw invalidCommit('The generation does not match the pending wallet')
  // Loaded on demand: this is half of the server's code, and only wallet creation needs it.
  const { assertAddressProven, toCanonicalAddress: writtenAs } = await import('./addresses/address.ts')
  if (getChainType(commit.address) !== slot.chain_type)
    throw invalidCommit('The address belongs to another chain')
  const address = writtenAs(slot.chain_type, commit.address)
  await assertAddressProven(slot, address, commit)
  const key = await requireSealingKey(context, commit.sealingKeyId)
  const share = shareContext(slot, address)
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
    // The wallet outlives its session, and the session may have ended while the keys were loading.
    await requireLivingSession(trx, context, caller.sessionId)
    await assertChainAllowed(trx, caller, slot.chain_type)
    await lockAddress(trx, context.clock, caller.appId, address)
    await assertAddressAvailable(trx, caller, address)
    if (!(await fillWalletSlot(trx, slot, contents))) return false
    if (caller.step.purpose === 'import') {
      await consumeConfirmation(trx, context, app, caller, { method: 'import', params: [address] })
    }
    countWalletCreated(trx, slot.chain_type, slot.kind)
    await recordAudit(trx, context.clock, {
      event: slot.kind === 'entropy' ? 'wallet.created' : 'wallet.imported',
      appId: caller.appId,
      userId: caller.userId,
      sessionId: caller.sessionId,
      details: { wallet: slot.id, chain: slot.chain_type, generation: slot.generation },
    })
    return true
  })
}

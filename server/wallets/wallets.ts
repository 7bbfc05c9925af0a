/**
 * Wallets as the server knows them: one place a user and chain, which goes from pending to committed once.
 *
 * Two tabs that create at once get the same place; the first commit fills it, and the other one is told which
 * wallet is there, throws its own away and recovers that one.
 */
import {
  canonicalShareContext,
  LatchkeyError,
  type SealedShare,
  type ServerSealingKey,
  type ShareContext,
  type ShareRole,
  walletProofText,
} from '@latchkey/protocol'
import type { CommittedWallet, PendingWallet } from '@latchkey/protocol/api'
import { getAddress, isHex, recoverMessageAddress } from 'viem/utils'
import { recordAudit } from '../audit/audit.ts'
import type { ServerContext, VerifiedToken } from '../context.ts'
import { randomId } from '../ids.ts'
import type { SealingKey } from '../keys/keys.ts'
import { type KmsPurpose, nowSeconds } from '../ports.ts'
import { recoveryMethodOf } from './accounts.ts'
import { openShare } from './sealing.ts'
import { assertShareShape } from './share-shape.ts'
import { fillPlace, findWallet, openPlace, type Wallet } from './store.ts'

export { walletAccountsOf } from './accounts.ts'

export const walletNotFound = () =>
  new LatchkeyError('embedded_wallet_not_found', 'The user has no such wallet')

export type Custody = {
  readonly wallet: Wallet
  readonly address: string
  readonly authShare: string
  readonly recoveryShare: string
}

/** What a committed wallet has; a pending one has none of it. */
export function custodyOf(wallet: Wallet | undefined): Custody | undefined {
  if (wallet?.status !== 'committed') return undefined
  const { address, auth_share: authShare, recovery_share: recoveryShare } = wallet
  if (address === null || authShare === null || recoveryShare === null) {
    throw new Error('A committed wallet lacks its address or a share')
  }
  return { wallet, address, authShare, recoveryShare }
}

export const committedWallet = ({ wallet, address }: Custody): CommittedWallet => ({
  status: 'committed',
  walletId: wallet.id,
  userId: wallet.user_id,
  generation: wallet.generation,
  address,
  recoveryMethod: recoveryMethodOf(wallet),
})

export async function walletOf(
  context: ServerContext,
  caller: VerifiedToken,
): Promise<CommittedWallet | null> {
  const custody = custodyOf(await findWallet(context.db, caller, 'ethereum'))
  return custody ? committedWallet(custody) : null
}

export async function beginWallet(
  context: ServerContext,
  caller: VerifiedToken,
): Promise<PendingWallet | CommittedWallet> {
  await openPlace(context.db, {
    id: `wal_${randomId()}`,
    app_id: caller.appId,
    user_id: caller.userId,
    chain_type: 'ethereum',
    status: 'pending',
    generation: 1,
    address: null,
    recovery_method: 'latchkey',
    imported: 0,
    auth_share: null,
    recovery_share: null,
    created_at: nowSeconds(context.clock),
    committed_at: null,
  })
  const wallet = await findWallet(context.db, caller, 'ethereum')
  if (wallet === undefined) throw walletNotFound()
  const custody = custodyOf(wallet)
  if (custody) return committedWallet(custody)
  return {
    status: 'pending',
    walletId: wallet.id,
    userId: wallet.user_id,
    generation: wallet.generation,
    sealingKey: publicSealingKey(context.keyring.sealingKey()),
  }
}

const publicSealingKey = ({ id, publicKey }: SealingKey): ServerSealingKey => ({ id, publicKey })

export type Commit = {
  readonly walletId: string
  readonly generation: number
  readonly address: string
  readonly recoveryMethod: 'latchkey'
  readonly sealingKeyId: string
  readonly authShare: SealedShare
  readonly recoveryShare: SealedShare
  readonly proof: string
}

/** Fills the place, or leaves it to the wallet that is in it: to be run again it needs no memory. */
export async function commitWallet(
  context: ServerContext,
  caller: VerifiedToken,
  commit: Commit,
): Promise<void> {
  const place = await findWallet(context.db, caller, 'ethereum')
  if (place === undefined || place.id !== commit.walletId) throw walletNotFound()
  if (place.status === 'committed') return
  if (place.generation !== commit.generation) throw invalidCommit('The wallet has another generation')
  const address = getAddress(commit.address)
  await assertProof(caller, commit, address)
  const key = await context.keyring.sealingKeyOf(commit.sealingKeyId)
  if (key === undefined) throw invalidCommit('The shares are sealed to a key that this server does not have')

  const rewrapped = (role: ShareRole, purpose: KmsPurpose, sealed: SealedShare) =>
    rewrap(context, key, { ...shareContext(place, address), role }, purpose, sealed)
  const authShare = await rewrapped('auth', 'auth-share', commit.authShare)
  const recoveryShare = await rewrapped('recovery', 'recovery-share', commit.recoveryShare)

  await context.transaction(async (trx) => {
    const filled = await fillPlace(trx, {
      walletId: place.id,
      userId: place.user_id,
      generation: place.generation,
      address,
      recoveryMethod: commit.recoveryMethod,
      authShare,
      recoveryShare,
      nowSeconds: nowSeconds(context.clock),
    })
    if (filled === undefined) return
    await recordAudit(trx, context.clock, {
      event: 'wallet.created',
      appId: caller.appId,
      userId: caller.userId,
      sessionId: caller.sessionId,
      details: { wallet: place.id, chain: place.chain_type, generation: place.generation },
    })
  })
}

export async function committedWalletOf(
  context: ServerContext,
  caller: VerifiedToken,
): Promise<CommittedWallet> {
  const wallet = await walletOf(context, caller)
  if (wallet === null) throw walletNotFound()
  return wallet
}

export const shareContext = (wallet: Wallet, address: string): Omit<ShareContext, 'role'> => ({
  appId: wallet.app_id,
  userId: wallet.user_id,
  walletId: wallet.id,
  generation: wallet.generation,
  address,
})

/** Opens what came sealed and wraps it for the database; in between it is looked at, and zeroed. */
async function rewrap(
  { kms }: ServerContext,
  key: SealingKey,
  context: ShareContext,
  purpose: KmsPurpose,
  sealed: SealedShare,
): Promise<string> {
  const share = await openShare(key, sealed, context)
  try {
    assertShareShape(share, context)
    return await kms.wrap(purpose, share, canonicalShareContext(context))
  } finally {
    share.fill(0)
  }
}

/** The new key itself says that it is this user's wallet, so nobody registers an address that is not theirs. */
async function assertProof(caller: VerifiedToken, commit: Commit, address: string): Promise<void> {
  const { appId, userId } = caller
  const { walletId, proof } = commit
  const message = walletProofText({ appId, userId, walletId, address })
  const signer = isHex(proof) ? await signerOf(message, proof) : undefined
  if (signer !== address) throw invalidCommit('The proof was not signed by the key of the address')
}

async function signerOf(message: string, signature: `0x${string}`): Promise<string | undefined> {
  try {
    return await recoverMessageAddress({ message, signature })
  } catch {
    return undefined
  }
}

const invalidCommit = (message: string) => new LatchkeyError('invalid_data', message)

/** How shares leave the server: counted and written down first, and sealed to the one vault of the token. */
import { attemptLimits, canonicalShareContext, type SealedShare, type ShareRole } from '@latchkey/protocol'
import type { CommittedWallet } from '@latchkey/protocol/api'
import { take, tooManyRequests } from '../attempts/attempts.ts'
import { recordAudit } from '../audit/audit.ts'
import type { ServerContext, VerifiedToken } from '../context.ts'
import { type KmsPurpose, nowSeconds } from '../ports.ts'
import { sealToVault } from './sealing.ts'
import { findWallet } from './store.ts'
import { type Custody, committedWallet, custodyOf, shareContext, walletNotFound } from './wallets.ts'

export type ReleasePurpose = 'sign' | 'recover'
export type Release = {
  readonly wallet: CommittedWallet
  readonly authShare: SealedShare
  readonly recoveryShare: SealedShare | null
}

const budgets = [
  { limit: attemptLimits.shareReleasesPerMinute, windowSeconds: attemptLimits.minuteSeconds },
] as const

/**
 * A signature needs the device share beside the auth share; a device that has none gets both of ours. A fork may
 * ask for either, since signing on a new device is what it is for; it may not take the key out or re-secure it.
 */
export async function releaseShares(
  context: ServerContext,
  caller: VerifiedToken,
  vaultKey: string,
  request: { readonly address: string; readonly purpose: ReleasePurpose },
): Promise<Release> {
  const custody = custodyOf(await findWallet(context.db, caller, 'ethereum'))
  if (!custody || custody.address.toLowerCase() !== request.address.toLowerCase()) throw walletNotFound()

  await context.transaction(async (trx) => {
    const allowance = await take(trx, {
      key: `share-release:${caller.userId}`,
      budgets,
      nowSeconds: nowSeconds(context.clock),
    })
    if (!allowance.allowed) throw tooManyRequests(allowance.retryAfterSeconds)
    await recordAudit(trx, context.clock, {
      event: 'wallet.share_released',
      appId: caller.appId,
      userId: caller.userId,
      sessionId: caller.sessionId,
      details: { wallet: custody.wallet.id, purpose: request.purpose },
    })
  })

  const { authShare, recoveryShare } = custody
  return {
    wallet: committedWallet(custody),
    authShare: await resealed(context, custody, 'auth', 'auth-share', authShare, vaultKey),
    recoveryShare:
      request.purpose === 'recover'
        ? await resealed(context, custody, 'recovery', 'recovery-share', recoveryShare, vaultKey)
        : null,
  }
}

async function resealed(
  { kms }: ServerContext,
  { wallet, address }: Custody,
  role: ShareRole,
  purpose: KmsPurpose,
  wrapped: string,
  vaultKey: string,
): Promise<SealedShare> {
  const share = { ...shareContext(wallet, address), role }
  const opened = await kms.unwrap(purpose, wrapped, canonicalShareContext(share))
  try {
    return await sealToVault(vaultKey, opened, share)
  } finally {
    opened.fill(0)
  }
}

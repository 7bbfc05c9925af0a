/** How shares leave the server: counted and written down first, and sealed to the one vault and step of the token. */
import { attemptLimits, LatchkeyError } from '@latchkey/protocol'
import type { CommittedWallet } from '@latchkey/protocol/api'
import {
  canonicalShareContext,
  type SealedShare,
  type ShareRole,
  walletPurposes,
} from '@latchkey/protocol/wallet'
import { take, tooManyRequests } from '../attempts/attempts.ts'
import { recordAudit } from '../audit/audit.ts'
import { type UsedConfirmation, useConfirmation } from '../confirm/confirm.ts'
import type { ServerContext, WalletToken } from '../context.ts'
import { type App, nowSeconds, type Trx } from '../ports.ts'
import { useVerification } from '../verification/verification.ts'
import {
  type Custody,
  committedWallet,
  type KeptRole,
  kmsPurposes,
  requireCustody,
  shareContext,
} from './custody.ts'
import { type SealedFor, sealToVault } from './sealing.ts'

export type Release = {
  readonly wallet: CommittedWallet
  readonly authShare: SealedShare
  readonly recoveryShare: SealedShare | null
}

const budgets = [
  { limit: attemptLimits.shareReleasesPerMinute, windowSeconds: attemptLimits.minuteSeconds },
] as const

/** Kept as the outcome of the call; what is sealed is sealed anew each time. */
export type Released = { readonly walletId: string }

/** Counted, verified and written down, or nothing of it. */
export async function countRelease(
  trx: Trx,
  context: ServerContext,
  caller: WalletToken,
  mfaToken: string | undefined,
  signed?: UsedConfirmation,
): Promise<Released> {
  const { purpose, operation, walletId } = caller.step
  if (!releasedFor(caller).includes('auth') || walletPurposes[purpose].confirmed !== (signed !== undefined)) {
    throw new LatchkeyError('insufficient_scope', 'Nothing is released for this purpose')
  }
  const { wallet } = await requireCustody(trx, caller, walletId)
  const allowance = await take(trx, {
    key: `share-release:${caller.userId}`,
    budgets,
    nowSeconds: nowSeconds(context.clock),
  })
  if (!allowance.allowed) throw tooManyRequests(allowance.retryAfterSeconds)
  const verified = walletPurposes[purpose].verified
    ? await useVerification(trx, context, caller, mfaToken)
    : undefined
  await recordAudit(trx, context.clock, {
    event: 'wallet.share_released',
    appId: caller.appId,
    userId: caller.userId,
    sessionId: caller.sessionId,
    details: {
      wallet: wallet.id,
      purpose,
      operation: operation.id,
      step: operation.step,
      verified: verified ?? null,
      ...signed,
    },
  })
  if (purpose === 'export') {
    await recordAudit(trx, context.clock, {
      event: 'wallet.key_exported',
      appId: caller.appId,
      userId: caller.userId,
      sessionId: caller.sessionId,
      details: { wallet: wallet.id, verified: verified ?? null },
    })
  }
  return { walletId: wallet.id }
}

const releasedFor = ({ step }: WalletToken): readonly ShareRole[] => walletPurposes[step.purpose].releases
const isRecovery = (caller: WalletToken) => releasedFor(caller).includes('recovery')

/**
 * Both shares go out for a recovery: to whoever knows the password where there is one, and that is asked elsewhere. A
 * signature is of what was confirmed.
 */
export async function countOpenRelease(
  trx: Trx,
  context: ServerContext,
  app: App,
  caller: WalletToken,
  mfaToken: string | undefined,
): Promise<Released> {
  if (isRecovery(caller)) {
    const { wallet } = await requireCustody(trx, caller, caller.step.walletId)
    if (wallet.recovery_method === 'user-passcode') throw keptByUser()
  }
  const signed = walletPurposes[caller.step.purpose].confirmed
    ? await useConfirmation(trx, context, app, caller)
    : undefined
  return countRelease(trx, context, caller, mfaToken, signed)
}

/** Beside its own share a device needs one of ours for a signature, and a device that has none needs both. */
export async function sealRelease(
  context: ServerContext,
  caller: WalletToken,
  { walletId }: Released,
): Promise<Release> {
  const custody = await requireCustody(context.db, caller, walletId)
  // Its user may have set a password since.
  if (isRecovery(caller) && custody.wallet.recovery_method === 'user-passcode') throw keptByUser()
  return {
    wallet: committedWallet(custody),
    authShare: await sealedToStep(context, caller, custody, 'auth'),
    recoveryShare: isRecovery(caller) ? await sealedToStep(context, caller, custody, 'recovery') : null,
  }
}

/** The share of the server alone, for what is said where a signature has its digest: it opens for nothing else. */
export async function sealReleaseFor(
  context: ServerContext,
  caller: WalletToken,
  { walletId }: Released,
  digest: string,
): Promise<Pick<Release, 'wallet' | 'authShare'>> {
  const custody = await requireCustody(context.db, caller, walletId)
  const step = { ...caller.step, signs: { digest } }
  return {
    wallet: committedWallet(custody),
    authShare: await sealedToStep(context, { step }, custody, 'auth'),
  }
}

const keptByUser = () =>
  new LatchkeyError('disallowed_recovery_method', 'This wallet is recovered by what its user keeps')

export async function sealedToStep(
  { kms }: ServerContext,
  { step }: { readonly step: SealedFor },
  { wallet, address, shares }: Custody,
  role: KeptRole,
): Promise<SealedShare> {
  const share = { ...shareContext(wallet, address), role }
  const opened = await kms.unwrap(kmsPurposes[role], shares[role], canonicalShareContext(share))
  try {
    return await sealToVault(step, opened, share)
  } finally {
    opened.fill(0)
  }
}

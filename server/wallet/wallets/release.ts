/** How shares leave the server: counted and written down first, and sealed to the one vault and step of the token. */
import { attemptLimits, LatchkeyError } from '@latchkey/protocol'
import type { CommittedWallet } from '@latchkey/protocol/api'
import {
  canonicalShareContext,
  type SealedShare,
  type ShareRole,
  walletPurposes,
} from '@latchkey/protocol/wallet'
import { recordAudit } from '../../identity/audit/audit.ts'
import { consume, tooManyRequests } from '../../kernel/attempts/attempts.ts'
import type { ServerContext, WalletToken } from '../../kernel/context.ts'
import { type App, nowSeconds, type Trx } from '../../kernel/ports.ts'
import { type UsedConfirmation, useConfirmation } from '../confirm/confirm.ts'
import {
  type Custody,
  committedWallet,
  type KeptRole,
  kmsPurposes,
  requireCustody,
  shareContext,
} from './custody.ts'
import { requireNotNew } from './not-new.ts'
import { isReleasedOpenly } from './recovery/methods.ts'
import { type SealedFor, sealToVault } from './sealing.ts'
import { secondFactors } from './second-factors.ts'
import { countReleased, type Wallet } from './store.ts'

export type Release = {
  wallet: CommittedWallet
  authShare: SealedShare
  recoveryShare: SealedShare | null
  /** The origin of the dapp that asked for it through a relay, where one did and its user approved that. */
  relayedFor?: string
  /** A user approved it on the page of the wallet. */
  approvedOnPage?: true
}

const budgets = [
  { limit: attemptLimits.shareReleasesPerMinute, windowSeconds: attemptLimits.minuteSeconds },
] as const

/** This is stored as the outcome of the call; a repeated call gets the share sealed anew. */
export type Released = Pick<Release, 'relayedFor' | 'approvedOnPage'> & { walletId: string }
/** Counts, verifies and records a release, and rejects one that only new methods approve; or does nothing. */
export async function countRelease(
  trx: Trx,
  context: ServerContext,
  app: App,
  caller: WalletToken,
  mfaToken: string | undefined,
  approved?: UsedConfirmation,
): Promise<Released> {
  const { purpose, operation, walletId } = caller.step
  const { releases, recordedAs, verified: isVerified } = walletPurposes[purpose]
  const isAsConfirmed = isConfirmed(caller) === (approved !== undefined)
  if (!releases.some((role) => role === 'auth') || recordedAs === null || !isAsConfirmed) {
    throw new LatchkeyError('insufficient_scope', 'Nothing is released for this purpose')
  }
  const { wallet } = await requireCustody(trx, caller, walletId)
  const allowance = await consume(trx, {
    key: `share-release:${caller.userId}`,
    budgets,
    nowSeconds: nowSeconds(context.clock),
  })
  if (!allowance.allowed) throw tooManyRequests(allowance.retryAfterSeconds)
  const verified = isVerified
    ? await secondFactors.on(context.ports).use(trx, context, caller, mfaToken)
    : undefined
  await requireNotNew(trx, context, { app, caller, verifiedBy: verified })
  await recordAudit(trx, context.clock, {
    event: recordedAs,
    appId: caller.appId,
    userId: caller.userId,
    sessionId: caller.sessionId,
    details: {
      wallet: wallet.id,
      purpose,
      operation: operation.id,
      step: operation.step,
      verified: verified ?? null,
      ...approved,
    },
  })
  countReleased(trx, purpose)
  return { walletId: wallet.id }
}

const releasedFor = ({ step }: WalletToken): readonly ShareRole[] => walletPurposes[step.purpose].releases
const isConfirmed = ({ step }: WalletToken) => walletPurposes[step.purpose].confirmed !== 'no'
const isRecovery = (caller: WalletToken) => releasedFor(caller).includes('recovery')

/**
 * Both shares go out for a recovery; where a password or a passkey is to be shown first, that is asked elsewhere. A
 * signature and an export are of what was confirmed.
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
    requireOpenRecovery(wallet)
  }
  const approved = isConfirmed(caller) ? await useConfirmation(trx, context, app, caller) : undefined
  const { walletId } = await countRelease(trx, context, app, caller, mfaToken, approved)
  return {
    walletId,
    ...(approved?.requester !== undefined && { relayedFor: approved.requester }),
    ...(approved?.place === 'page' && { approvedOnPage: true }),
  }
}

/** A device needs one of our shares beside its own for a signature, and a device that has none needs both. */
export async function sealRelease(
  context: ServerContext,
  caller: WalletToken,
  { walletId, relayedFor, approvedOnPage }: Released,
): Promise<Release> {
  const custody = await requireCustody(context.db, caller, walletId)
  // Its user may have set another recovery since.
  if (isRecovery(caller)) requireOpenRecovery(custody.wallet)
  return {
    wallet: committedWallet(custody),
    authShare: await sealedToStep(context, caller, custody, 'auth'),
    recoveryShare: isRecovery(caller) ? await sealedToStep(context, caller, custody, 'recovery') : null,
    ...(relayedFor !== undefined && { relayedFor }),
    ...(approvedOnPage && { approvedOnPage }),
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
  return {
    wallet: committedWallet(custody),
    authShare: await sealedTo(context, { ...caller.step, digest }, custody, 'auth'),
  }
}

function requireOpenRecovery(wallet: Wallet): void {
  if (isReleasedOpenly(wallet)) return
  throw new LatchkeyError('disallowed_recovery_method', 'This wallet is recovered by what its user keeps')
}

/**
 * What a share is sealed for: the step of the token, with the digest of what was confirmed where the step is a
 * signature.
 */
export const stepOf = ({ step }: WalletToken): SealedFor => {
  const { vaultKey, operation, purpose, confirmed } = step
  const digest = walletPurposes[purpose].confirmed === 'signature' ? confirmed?.digest : undefined
  return { vaultKey, operation, purpose, digest: digest ?? null }
}

export const sealedToStep = (
  context: ServerContext,
  caller: WalletToken,
  custody: Custody,
  role: KeptRole,
): Promise<SealedShare> => sealedTo(context, stepOf(caller), custody, role)

async function sealedTo(
  { kms }: ServerContext,
  sealedFor: SealedFor,
  { wallet, address, shares }: Custody,
  role: KeptRole,
): Promise<SealedShare> {
  const share = { ...shareContext(wallet, address), role }
  const opened = await kms.unwrap(kmsPurposes[role], shares[role], canonicalShareContext(share))
  try {
    return await sealToVault(sealedFor, opened, share)
  } finally {
    opened.fill(0)
  }
}

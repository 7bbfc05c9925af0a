/** Releases shares. Each release is counted and audited first, then sealed to the token's vault and step. */
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
import { type ConsumedConfirmation, consumeConfirmation } from '../confirm/confirm.ts'
import {
  type Custody,
  committedWallet,
  kmsPurposes,
  requireCustody,
  type StoredRole,
  shareContext,
} from './custody.ts'
import { requireMethodAgeForRelease } from './method-age.ts'
import { hasOpenRelease } from './recovery/methods.ts'
import { type SealTarget, sealToVault } from './sealing.ts'
import { secondFactors } from './second-factors.ts'
import { countShareRelease, type Wallet } from './store.ts'

export type Release = {
  wallet: CommittedWallet
  authShare: SealedShare
  recoveryShare: SealedShare | null
  /** The origin of the dapp that requested the signature through a relay, if any. */
  relayedFor?: string
  /** The user approved the request on the confirmation page. */
  approvedOnPage?: true
}

const quotas = [
  { limit: attemptLimits.shareReleasesPerMinute, windowSeconds: attemptLimits.minuteSeconds },
] as const

/** Stored as the outcome of the call. A repeated call seals the share again. */
export type ReleaseOutcome = Pick<Release, 'relayedFor' | 'approvedOnPage'> & { walletId: string }

/** Counts, verifies and audits a release, all in the caller's transaction. Rejects an approval by new methods only. */
export async function authorizeRelease(
  trx: Trx,
  context: ServerContext,
  app: App,
  caller: WalletToken,
  mfaToken: string | undefined,
  approved?: ConsumedConfirmation,
): Promise<ReleaseOutcome> {
  const { purpose, operation, walletId } = caller.step
  const { releases, recordedAs, verified: isVerified } = walletPurposes[purpose]
  const hasExpectedConfirmation = requiresConfirmation(caller) === (approved !== undefined)
  if (!releases.some((role) => role === 'auth') || recordedAs === null || !hasExpectedConfirmation) {
    throw new LatchkeyError('insufficient_scope', 'This purpose releases no share')
  }
  const { wallet } = await requireCustody(trx, caller, walletId)
  const allowance = await consume(trx, {
    key: `share-release:${caller.userId}`,
    quotas,
    nowSeconds: nowSeconds(context.clock),
  })
  if (!allowance.allowed) throw tooManyRequests(allowance.retryAfterSeconds)
  const verified = isVerified
    ? await secondFactors.get(context.ports).use(trx, context, caller, mfaToken)
    : undefined
  await requireMethodAgeForRelease(trx, context, { app, caller, verifiedBy: verified })
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
  countShareRelease(trx, purpose)
  return { walletId: wallet.id }
}

const getReleasedRoles = ({ step }: WalletToken): readonly ShareRole[] =>
  walletPurposes[step.purpose].releases
const requiresConfirmation = ({ step }: WalletToken) => walletPurposes[step.purpose].confirmed !== 'no'
const isRecovery = (caller: WalletToken) => getReleasedRoles(caller).includes('recovery')

/**
 * Authorizes a release that needs no password or passkey. A signature and an export consume their confirmation.
 */
export async function authorizeOpenRelease(
  trx: Trx,
  context: ServerContext,
  app: App,
  caller: WalletToken,
  mfaToken: string | undefined,
): Promise<ReleaseOutcome> {
  if (isRecovery(caller)) {
    const { wallet } = await requireCustody(trx, caller, caller.step.walletId)
    requireOpenRecovery(wallet)
  }
  const approved = requiresConfirmation(caller)
    ? await consumeConfirmation(trx, context, app, caller)
    : undefined
  const { walletId } = await authorizeRelease(trx, context, app, caller, mfaToken, approved)
  return {
    walletId,
    ...(approved?.requester !== undefined && { relayedFor: approved.requester }),
    ...(approved?.place === 'page' && { approvedOnPage: true }),
  }
}

/** Seals the auth share, and for a recovery also the recovery share, because the new device has no share. */
export async function sealRelease(
  context: ServerContext,
  caller: WalletToken,
  { walletId, relayedFor, approvedOnPage }: ReleaseOutcome,
): Promise<Release> {
  const custody = await requireCustody(context.db, caller, walletId)
  // The user may have changed the recovery method since.
  if (isRecovery(caller)) requireOpenRecovery(custody.wallet)
  return {
    wallet: committedWallet(custody),
    authShare: await sealForStep(context, caller, custody, 'auth'),
    recoveryShare: isRecovery(caller) ? await sealForStep(context, caller, custody, 'recovery') : null,
    ...(relayedFor !== undefined && { relayedFor }),
    ...(approvedOnPage && { approvedOnPage }),
  }
}

/** Seals the auth share for one digest. The vault can open it only to sign that digest. */
export async function sealSignatureRelease(
  context: ServerContext,
  caller: WalletToken,
  { walletId }: ReleaseOutcome,
  digest: string,
): Promise<Pick<Release, 'wallet' | 'authShare'>> {
  const custody = await requireCustody(context.db, caller, walletId)
  return {
    wallet: committedWallet(custody),
    authShare: await sealShare(context, { ...caller.step, digest }, custody, 'auth'),
  }
}

function requireOpenRecovery(wallet: Wallet): void {
  if (hasOpenRelease(wallet)) return
  throw new LatchkeyError(
    'disallowed_recovery_method',
    'This wallet requires its recovery password or passkey',
  )
}

/**
 * Returns the token's step as a seal target. A signature step includes the confirmed digest.
 */
export const getSealTarget = ({ step }: WalletToken): SealTarget => {
  const { vaultKey, operation, purpose, confirmed } = step
  const digest = walletPurposes[purpose].confirmed === 'signature' ? confirmed?.digest : undefined
  return { vaultKey, operation, purpose, digest: digest ?? null }
}

export const sealForStep = (
  context: ServerContext,
  caller: WalletToken,
  custody: Custody,
  role: StoredRole,
): Promise<SealedShare> => sealShare(context, getSealTarget(caller), custody, role)

async function sealShare(
  { kms }: ServerContext,
  target: SealTarget,
  { wallet, address, shares }: Custody,
  role: StoredRole,
): Promise<SealedShare> {
  const share = { ...shareContext(wallet, address), role }
  const plaintext = await kms.unwrap(kmsPurposes[role], shares[role], canonicalShareContext(share))
  try {
    return await sealToVault(target, plaintext, share)
  } finally {
    plaintext.fill(0)
  }
}

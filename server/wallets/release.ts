/** How shares leave the server: counted and written down first, and sealed to the one vault and step of the token. */
import { attemptLimits, LatchkeyError } from '@latchkey/protocol'
import type { CommittedWallet, RouteBody, walletRoutes } from '@latchkey/protocol/api'
import {
  canonicalShareContext,
  type SealedShare,
  type ShareRole,
  walletPurposes,
} from '@latchkey/protocol/wallet'
import { take, tooManyRequests } from '../attempts/attempts.ts'
import { recordAudit } from '../audit/audit.ts'
import type { ServerContext, WalletToken } from '../context.ts'
import { nowSeconds } from '../ports.ts'
import {
  type Custody,
  committedWallet,
  type KeptRole,
  kmsPurposes,
  publicSealingKey,
  requireCustody,
  shareContext,
} from './custody.ts'
import { envelopeIn, passwordEnvelope, recoveryNotAllowed, requirePassword } from './kept-recovery.ts'
import { sealToVault } from './sealing.ts'

export type Release = {
  readonly wallet: CommittedWallet
  readonly authShare: SealedShare
  readonly recoveryShare: SealedShare | null
  readonly recoveryEnvelope: string | null
}

const budgets = [
  { limit: attemptLimits.shareReleasesPerMinute, windowSeconds: attemptLimits.minuteSeconds },
] as const

/** Beside its own share a device needs one of ours for a signature, and a device that has none needs both. */
export async function releaseShares(
  context: ServerContext,
  caller: WalletToken,
  { access }: RouteBody<typeof walletRoutes.releaseShares> = {},
): Promise<Release> {
  const released: readonly ShareRole[] = walletPurposes[caller.step.purpose].releases
  if (!released.includes('auth')) {
    throw new LatchkeyError('insufficient_scope', 'Nothing is released for this purpose')
  }
  const custody = await requireCustody(context.db, caller, caller.step.walletId)
  await countRelease(context, caller, custody)
  const isRecovery = released.includes('recovery')
  const byPassword = isRecovery && custody.wallet.recovery_method === 'user-passcode'
  if (byPassword) await requirePassword(context, custody, access)
  return {
    wallet: committedWallet(custody),
    authShare: await sealedToStep(context, caller, custody, 'auth'),
    recoveryShare:
      isRecovery && custody.wallet.recovery_method === 'latchkey'
        ? await sealedToStep(context, caller, custody, 'recovery')
        : null,
    recoveryEnvelope: byPassword ? await envelopeOf(context, custody) : null,
  }
}

/** What Argon2id takes beside the password: the vault asks for it before it can show that it knows the password. */
export async function passwordParams(context: ServerContext, caller: WalletToken) {
  const custody = await requireCustody(context.db, caller, caller.step.walletId)
  if (custody.wallet.recovery_method !== 'user-passcode') throw recoveryNotAllowed()
  const envelope = envelopeIn(await envelopeOf(context, custody))
  if (!envelope) throw new Error('A recovery is kept in a form that this version does not know')
  return {
    wallet: committedWallet(custody),
    params: envelope.params,
    sealingKey: publicSealingKey(context.keyring.sealingKey()),
  }
}

const envelopeOf = (context: ServerContext, { wallet, address, shares }: Custody) =>
  passwordEnvelope(context, shares.recovery, { ...shareContext(wallet, address), role: 'recovery' })

export async function countRelease(
  context: ServerContext,
  caller: WalletToken,
  { wallet }: Custody,
): Promise<void> {
  const { purpose, operation } = caller.step
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
      details: { wallet: wallet.id, purpose, operation: operation.id, step: operation.step },
    })
  })
}

export async function sealedToStep(
  { kms }: ServerContext,
  { step }: WalletToken,
  { wallet, address, shares }: Custody,
  role: KeptRole,
): Promise<SealedShare> {
  const share = { ...shareContext(wallet, address), role }
  const opened = await kms.unwrap(kmsPurposes[role], shares[role], canonicalShareContext(share))
  try {
    return await sealToVault(step.vaultKey, step.operation, opened, share)
  } finally {
    opened.fill(0)
  }
}

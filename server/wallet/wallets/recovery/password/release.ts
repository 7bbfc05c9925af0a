/** Releases a wallet after a proof of the recovery password. Each attempt is counted before the comparison. */
import { LatchkeyError, recoveryAttemptLimits } from '@latchkey/protocol'
import type { RouteBody, recoveryRoutes } from '@latchkey/protocol/api'
import { consume, refund, tooManyRequests } from '../../../../kernel/attempts/attempts.ts'
import type { ServerContext, WalletToken } from '../../../../kernel/context.ts'
import { type App, nowSeconds, type Trx } from '../../../../kernel/ports.ts'
import {
  type Custody,
  committedWallet,
  publicSealingKey,
  requireCustody,
  shareContext,
} from '../../custody.ts'
import { authorizeRelease, sealForStep } from '../../release.ts'
import { secondFactors } from '../../second-factors.ts'
import { recoveryNotAllowed } from '../method.ts'
import { isAccessKeyValid, parsePasswordEnvelope, readPasswordEnvelope } from './method.ts'

/** Returns the Argon2id parameters, which the vault needs to derive the access key. */
export async function getPasswordParams(context: ServerContext, caller: WalletToken) {
  const custody = await requireCustody(context.db, caller, caller.step.walletId)
  requirePasswordRecovery(custody)
  const envelope = parsePasswordEnvelope(await readStoredEnvelope(context, custody))
  if (!envelope) throw new Error('The stored recovery has a format that this version does not support')
  return {
    wallet: committedWallet(custody),
    params: envelope.params,
    sealingKey: publicSealingKey(context.keyring.sealingKey()),
  }
}

const getRecoveryContext = ({ wallet, address }: Custody) =>
  ({ ...shareContext(wallet, address), role: 'recovery' }) as const

const readStoredEnvelope = (context: ServerContext, custody: Custody) =>
  readPasswordEnvelope(context, custody.shares.recovery, getRecoveryContext(custody))

function requirePasswordRecovery({ wallet }: Custody): void {
  if (wallet.recovery_method !== 'user-passcode') throw recoveryNotAllowed()
}

/**
 * The state stored between the steps of the call: the consumed quota slots and the wallet's generation.
 */
export type Attempt = { taken: readonly string[]; generation: number }

/** Consumes one attempt. A missing second factor throws first, and counts no attempt. */
export async function countAttempt(
  trx: Trx,
  context: ServerContext,
  caller: WalletToken,
  mfaToken: string | undefined,
): Promise<Attempt> {
  const custody = await requireCustody(trx, caller, caller.step.walletId)
  requirePasswordRecovery(custody)
  await secondFactors.get(context.ports).require(trx, context, caller, mfaToken)
  const { id, generation } = custody.wallet
  const allowance = await consume(trx, {
    key: `recovery-password:${id}`,
    quotas: recoveryAttemptLimits,
    nowSeconds: nowSeconds(context.clock),
  })
  if (!allowance.allowed) throw tooManyRequests(allowance.retryAfterSeconds)
  return { taken: allowance.taken, generation }
}

export async function isPasswordCorrect(
  context: ServerContext,
  caller: WalletToken,
  { generation }: Attempt,
  { access }: Pick<RouteBody<typeof recoveryRoutes.releaseByPassword>, 'access'>,
): Promise<boolean> {
  const custody = await requireCustody(context.db, caller, caller.step.walletId)
  if (custody.wallet.generation !== generation) return false
  return isAccessKeyValid(context, custody.wallet.recovery_access, access, getRecoveryContext(custody))
}

/** This is stored as the outcome of the call; a repeated call gets the share sealed anew. */
export type RecoveryOutcome = { type: 'right'; generation: number } | { type: 'wrong' }

export async function decideAttempt(
  trx: Trx,
  context: ServerContext,
  app: App,
  caller: WalletToken,
  { taken, generation, isRight }: Attempt & { isRight: boolean },
  mfaToken: string | undefined,
): Promise<RecoveryOutcome> {
  const { wallet } = await requireCustody(trx, caller, caller.step.walletId)
  // Another generation may have another password.
  if (!isRight || wallet.generation !== generation) return { type: 'wrong' }
  await authorizeRelease(trx, context, app, caller, mfaToken)
  // Refunds the attempt, because the password was correct.
  await refund(trx, taken)
  return { type: 'right', generation }
}

export async function renderRecovery(outcome: RecoveryOutcome, context: ServerContext, caller: WalletToken) {
  const custody = await requireCustody(context.db, caller, caller.step.walletId)
  if (outcome.type === 'wrong' || custody.wallet.generation !== outcome.generation) throw wrongPassword()
  return {
    wallet: committedWallet(custody),
    authShare: await sealForStep(context, caller, custody, 'auth'),
    recoveryEnvelope: await readStoredEnvelope(context, custody),
  }
}

const wrongPassword = () =>
  new LatchkeyError('invalid_recovery_pin', 'This password does not open the wallet')

/** Recovery by a password: what its user keeps goes out to who knows it, and each try is counted before it is compared. */
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
import { countRelease, sealedToStep } from '../../release.ts'
import { secondFactors } from '../../second-factors.ts'
import { recoveryNotAllowed } from '../method.ts'
import { envelopeIn, isAccess, passwordEnvelope } from './method.ts'

/** What Argon2id takes beside the password: the vault asks for it before it can show that it knows the password. */
export async function passwordParams(context: ServerContext, caller: WalletToken) {
  const custody = await requireCustody(context.db, caller, caller.step.walletId)
  requireByPassword(custody)
  const envelope = envelopeIn(await envelopeOf(context, custody))
  if (!envelope) throw new Error('A recovery is kept in a form that this version does not know')
  return {
    wallet: committedWallet(custody),
    params: envelope.params,
    sealingKey: publicSealingKey(context.keyring.sealingKey()),
  }
}

const recoveryOf = ({ wallet, address }: Custody) =>
  ({ ...shareContext(wallet, address), role: 'recovery' }) as const

const envelopeOf = (context: ServerContext, custody: Custody) =>
  passwordEnvelope(context, custody.shares.recovery, recoveryOf(custody))

function requireByPassword({ wallet }: Custody): void {
  if (wallet.recovery_method !== 'user-passcode') throw recoveryNotAllowed()
}

/**
 * What the call keeps between its steps: the slots that the try took, and the generation of the wallet that it is
 * for.
 */
export type Try = { taken: readonly string[]; generation: number }

/** Who still has to verify has not tried, and hears nothing of the password. */
export async function countTry(
  trx: Trx,
  context: ServerContext,
  caller: WalletToken,
  mfaToken: string | undefined,
): Promise<Try> {
  const custody = await requireCustody(trx, caller, caller.step.walletId)
  requireByPassword(custody)
  await secondFactors.on(context.ports).require(trx, context, caller, mfaToken)
  const { id, generation } = custody.wallet
  const allowance = await consume(trx, {
    key: `recovery-password:${id}`,
    budgets: recoveryAttemptLimits,
    nowSeconds: nowSeconds(context.clock),
  })
  if (!allowance.allowed) throw tooManyRequests(allowance.retryAfterSeconds)
  return { taken: allowance.taken, generation }
}

export async function isPassword(
  context: ServerContext,
  caller: WalletToken,
  { generation }: Try,
  { access }: Pick<RouteBody<typeof recoveryRoutes.releaseByPassword>, 'access'>,
): Promise<boolean> {
  const custody = await requireCustody(context.db, caller, caller.step.walletId)
  if (custody.wallet.generation !== generation) return false
  return isAccess(context, custody.wallet.recovery_access, access, recoveryOf(custody))
}

/** This is stored as the outcome of the call; a repeated call gets the share sealed anew. */
export type Recovered = { type: 'right'; generation: number } | { type: 'wrong' }

export async function decideTry(
  trx: Trx,
  context: ServerContext,
  app: App,
  caller: WalletToken,
  { taken, generation, isRight }: Try & { isRight: boolean },
  mfaToken: string | undefined,
): Promise<Recovered> {
  const { wallet } = await requireCustody(trx, caller, caller.step.walletId)
  // Another generation has another password, maybe.
  if (!isRight || wallet.generation !== generation) return { type: 'wrong' }
  await countRelease(trx, context, app, caller, mfaToken)
  // The right one is no try.
  await refund(trx, taken)
  return { type: 'right', generation }
}

export async function recoveredAnswer(outcome: Recovered, context: ServerContext, caller: WalletToken) {
  const custody = await requireCustody(context.db, caller, caller.step.walletId)
  if (outcome.type === 'wrong' || custody.wallet.generation !== outcome.generation) throw wrongPassword()
  return {
    wallet: committedWallet(custody),
    authShare: await sealedToStep(context, caller, custody, 'auth'),
    recoveryEnvelope: await envelopeOf(context, custody),
  }
}

const wrongPassword = () =>
  new LatchkeyError('invalid_recovery_pin', 'This password does not open the wallet')

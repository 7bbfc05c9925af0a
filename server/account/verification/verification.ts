/**
 * Verifies second factors. A verification yields a token for one operation.
 *
 *     verify a method:      countAttempt ─▶ compare ─▶ createVerification, which issues the token
 *     protected operation:  consumeVerification, in the transaction that releases or changes something
 *
 * Each method has a folder with its enrolment and its verification.
 */
import { createHash, createHmac } from 'node:crypto'
import { LatchkeyError, type MfaMethodType, mfaLimits, product } from '@latchkey/protocol'
import { lockUser } from '../../identity/users/users.ts'
import { consume } from '../../kernel/attempts/attempts.ts'
import type { ServerContext, WalletToken } from '../../kernel/context.ts'
import { randomId } from '../../kernel/ids.ts'
import { addPepperName, getPepperName } from '../../kernel/keys/keys.ts'
import { nowSeconds, type Trx } from '../../kernel/ports.ts'
import * as store from './store.ts'

export { endMethod, endPasskeyMethodIfUnused } from './end-method.ts'
export { resetMethods } from './reset-methods.ts'
export { resetAttempts } from './store.ts'

/** Returns the operation that a verification is bound to. */
const getBinding = ({ appId, userId, sessionId, step }: WalletToken) => ({
  app_id: appId,
  user_id: userId,
  session_id: sessionId,
  operation_id: step.operation.id,
  purpose: step.purpose,
  wallet_id: step.walletId ?? '',
})

/**
 * Consumes the verification in the caller's transaction. Returns undefined for a user without a second factor. Throws
 * if the verification is missing, used, expired or bound to another operation.
 */
export async function consumeVerification(
  trx: Trx,
  { clock }: Pick<ServerContext, 'clock'>,
  caller: WalletToken,
  token: string | undefined,
): Promise<MfaMethodType | undefined> {
  if (!(await requireFactorIfEnrolled(trx, caller, token))) return undefined
  const method = await store.consumeVerification(trx, toVerificationKey(caller, token), nowSeconds(clock))
  if (method === undefined) throw invalidMfaToken()
  return method
}

/**
 * Requires a valid verification without consuming it. Called before a comparison that could leak a secret.
 */
export async function requireVerification(
  trx: Trx,
  { clock }: Pick<ServerContext, 'clock'>,
  caller: WalletToken,
  token: string | undefined,
): Promise<void> {
  if (!(await requireFactorIfEnrolled(trx, caller, token))) return
  if (!(await store.isVerified(trx, toVerificationKey(caller, token), nowSeconds(clock))))
    throw invalidMfaToken()
}

const toVerificationKey = (caller: WalletToken, token: string | undefined) => ({
  token_hash: hashToken(token ?? ''),
  ...getBinding(caller),
})
const invalidMfaToken = () =>
  new LatchkeyError('expired_or_invalid_mfa_token', 'This verification is no longer valid')

/** Returns whether a verification is required. Throws if it is required and the token is missing. */
export async function requireFactorIfEnrolled(
  trx: Trx,
  { userId, isFork }: Pick<WalletToken, 'userId' | 'isFork'>,
  token: string | undefined,
): Promise<boolean> {
  const methods = await store.enrolledMethods(trx, userId)
  if (methods.length === 0) return false
  if (isFork) throw new LatchkeyError('insufficient_scope', 'A forked session cannot verify its user')
  if (token !== undefined) return true
  throw new LatchkeyError('missing_or_invalid_mfa', 'A second factor is needed', { details: { methods } })
}

const operationBudget = [{ limit: mfaLimits.triesPerOperation, windowSeconds: mfaLimits.enrolmentSeconds }]

type TriedStep = { operation: Pick<WalletToken['step']['operation'], 'id'> }

/**
 * Counts an attempt before the comparison. An operation has four attempts. Repeated operations lock the user's method,
 * each time for longer. Only a session of the user can reach this, so an outsider cannot lock the user out.
 */
export async function countAttempt(
  trx: Trx,
  { clock }: Pick<ServerContext, 'clock'>,
  { appId, userId, step }: Pick<WalletToken, 'appId' | 'userId'> & { step: TriedStep },
  method: MfaMethodType,
): Promise<void> {
  const now = nowSeconds(clock)
  const key = ['mfa-try', appId, userId, step.operation.id].join('\n')
  const allowance = await consume(trx, { key, quotas: operationBudget, nowSeconds: now })
  if (!allowance.allowed) throw tooManyTries(allowance.retryAfterSeconds)
  if (await store.countAttempt(trx, { userId, method, nowSeconds: now })) return
  throw tooManyTries(Math.max(1, (await store.lockedUntil(trx, userId, method)) - now))
}

const tooManyTries = (retryAfterSeconds: number) =>
  new LatchkeyError('mfa_verification_max_attempts_reached', 'Too many verification attempts.', {
    retryAfterSeconds,
  })

/** Stored as the outcome of the call. Each repetition derives the same token from it. */
export type Verified = { type: 'verified'; id: string }
export type Unverified = { type: 'wrong' }
export const unverified: Unverified = { type: 'wrong' }

/** Creates the verification after the method accepted and consumed the response. */
export async function createVerification(
  trx: Trx,
  context: ServerContext,
  caller: WalletToken,
  method: MfaMethodType,
): Promise<Verified> {
  const id = addPepperName(context.keyring.pepperInUse(), randomId())
  await store.resetAttempts(trx, caller.userId, method)
  await store.insertVerification(trx, {
    token_hash: hashToken(deriveToken(context, id)),
    ...getBinding(caller),
    method,
    expires_at: nowSeconds(context.clock) + mfaLimits.verificationSeconds,
  })
  return { type: 'verified', id }
}

export function renderVerification(outcome: Verified | Unverified, context: ServerContext) {
  if (outcome.type === 'wrong') throw wrongAnswer()
  return { token: deriveToken(context, outcome.id) }
}

/** The same error for a wrong code, a used code and a missing method, so that it leaks nothing. */
const wrongAnswer = () => new LatchkeyError('missing_or_invalid_mfa', 'MFA verification failed, retry.')

const deriveToken = ({ keyring }: ServerContext, id: string) =>
  createHmac('sha256', keyring.pepper('mfa-verification', getPepperName(id)))
    .update(id)
    .digest('base64url')

const hashToken = (token: string) =>
  createHash('sha256').update(`${product.key}/mfa-verification\n${token}`).digest('base64url')

/** Throws if SMS is the user's second factor, because SMS cannot also be a login method. Locks the user. */
export async function requireNoSmsMethod(trx: Trx, caller: { userId: string }): Promise<void> {
  await lockUser(trx, caller)
  if ((await store.enrolledMethods(trx, caller.userId)).includes('sms')) throw smsIsOneFactor()
}

export const smsIsOneFactor = () =>
  new LatchkeyError('not_supported', 'SMS can be a login method or a verification method, not both')

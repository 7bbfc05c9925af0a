/**
 * Multi-factor verification: what it takes from a user who has a method.
 *
 *     a method's verify:  countTry ─▶ the method compares ─▶ verified, which gives a token for one operation
 *     what it protects:   useVerification, in the transaction that releases or changes something
 *
 * A method is a folder: how it begins and ends to be enrolled, and how it verifies.
 */
import { createHash, createHmac } from 'node:crypto'
import { LatchkeyError, type MfaMethodType, mfaLimits, product } from '@latchkey/protocol'
import { holdUser } from '../../identity/users/users.ts'
import { consume } from '../../kernel/attempts/attempts.ts'
import type { ServerContext, WalletToken } from '../../kernel/context.ts'
import { randomId } from '../../kernel/ids.ts'
import { addPepperName, getPepperName } from '../../kernel/keys/keys.ts'
import { nowSeconds, type Trx } from '../../kernel/ports.ts'
import * as store from './store.ts'

export { endMethod, endPasskeysWithNone } from './end-method.ts'
export { enrolledMethods, forgetTries } from './store.ts'

/** What a verification is for: it is of no use for anything else. */
const boundTo = ({ appId, userId, sessionId, step }: WalletToken) => ({
  app_id: appId,
  user_id: userId,
  session_id: sessionId,
  operation_id: step.operation.id,
  purpose: step.purpose,
  wallet_id: step.walletId ?? '',
})

/**
 * Uses the verification up, in the transaction of what it is for. Undefined for a user who has no method; throws where
 * one is due that was not brought, or that is used, expired, or was given for something else.
 */
export async function useVerification(
  trx: Trx,
  { clock }: Pick<ServerContext, 'clock'>,
  caller: WalletToken,
  token: string | undefined,
): Promise<MfaMethodType | undefined> {
  if (!(await requireAny(trx, caller, token))) return undefined
  const method = await store.useVerification(trx, wantedOf(caller, token), nowSeconds(clock))
  if (method === undefined) throw notValid()
  return method
}

/**
 * Before anything is compared that tells of a secret: as `useVerification`, but the verification stays for what it is
 * for. A token that was made up is none.
 */
export async function requireVerification(
  trx: Trx,
  { clock }: Pick<ServerContext, 'clock'>,
  caller: WalletToken,
  token: string | undefined,
): Promise<void> {
  if (!(await requireAny(trx, caller, token))) return
  if (!(await store.isVerified(trx, wantedOf(caller, token), nowSeconds(clock)))) throw notValid()
}

const wantedOf = (caller: WalletToken, token: string | undefined) => ({
  token_hash: hashOf(token ?? ''),
  ...boundTo(caller),
})
const notValid = () =>
  new LatchkeyError('expired_or_invalid_mfa_token', 'This verification is not valid any more')

/** Before anything is done: true where a verification is due, and something was brought for it. */
export async function requireAny(
  trx: Trx,
  { userId, isFork }: Pick<WalletToken, 'userId' | 'isFork'>,
  token: string | undefined,
): Promise<boolean> {
  const methods = await store.enrolledMethods(trx, userId)
  if (methods.length === 0) return false
  if (isFork) throw new LatchkeyError('insufficient_scope', 'A forked session can not verify its user')
  if (token !== undefined) return true
  throw new LatchkeyError('missing_or_invalid_mfa', 'A second factor is needed', { details: { methods } })
}

const operationBudget = [{ limit: mfaLimits.triesPerOperation, windowSeconds: mfaLimits.enrolmentSeconds }]

type TriedStep = { operation: Pick<WalletToken['step']['operation'], 'id'> }

/**
 * Counts a try before anything is compared. An operation has four; and whoever begins one operation after another
 * finds the method of the user locked, each time for longer. It takes a session of the user to come here, so nobody
 * else can lock them out.
 */
export async function countTry(
  trx: Trx,
  { clock }: Pick<ServerContext, 'clock'>,
  { appId, userId, step }: Pick<WalletToken, 'appId' | 'userId'> & { step: TriedStep },
  method: MfaMethodType,
): Promise<void> {
  const now = nowSeconds(clock)
  const key = ['mfa-try', appId, userId, step.operation.id].join('\n')
  const allowance = await consume(trx, { key, quotas: operationBudget, nowSeconds: now })
  if (!allowance.allowed) throw tooManyTries(allowance.retryAfterSeconds)
  if (await store.countTry(trx, { userId, method, nowSeconds: now })) return
  throw tooManyTries(Math.max(1, (await store.lockedUntil(trx, userId, method)) - now))
}

const tooManyTries = (retryAfterSeconds: number) =>
  new LatchkeyError('mfa_verification_max_attempts_reached', 'Too many verification attempts.', {
    retryAfterSeconds,
  })

/** This is stored as the outcome of the call; the same token is made from it each time. */
export type Verified = { type: 'verified'; id: string }
export type Unverified = { type: 'wrong' }
export const unverified: Unverified = { type: 'wrong' }

/** The method found the answer right, and used it up. */
export async function verified(
  trx: Trx,
  context: ServerContext,
  caller: WalletToken,
  method: MfaMethodType,
): Promise<Verified> {
  const id = addPepperName(context.keyring.pepperInUse(), randomId())
  await store.forgetTries(trx, caller.userId, method)
  await store.putVerification(trx, {
    token_hash: hashOf(tokenOf(context, id)),
    ...boundTo(caller),
    method,
    expires_at: nowSeconds(context.clock) + mfaLimits.verificationSeconds,
  })
  return { type: 'verified', id }
}

export function verifiedAnswer(outcome: Verified | Unverified, context: ServerContext) {
  if (outcome.type === 'wrong') throw wrongAnswer()
  return { token: tokenOf(context, outcome.id) }
}

/** One answer for whatever is not right: a wrong code, a used one, and a method that the user does not have. */
const wrongAnswer = () => new LatchkeyError('missing_or_invalid_mfa', 'MFA verification failed, retry.')

const tokenOf = ({ keyring }: ServerContext, id: string) =>
  createHmac('sha256', keyring.pepper('mfa-verification', getPepperName(id)))
    .update(id)
    .digest('base64url')

const hashOf = (token: string) =>
  createHash('sha256').update(`${product.key}/mfa-verification\n${token}`).digest('base64url')

/** Somebody who logs in by SMS proves nothing more by another SMS. Held until the number is linked, or not. */
export async function requireNoSmsMethod(trx: Trx, caller: { userId: string }): Promise<void> {
  await holdUser(trx, caller)
  if ((await store.enrolledMethods(trx, caller.userId)).includes('sms')) throw smsIsOneFactor()
}

export const smsIsOneFactor = () =>
  new LatchkeyError('not_supported', 'SMS can be a login method or a verification method, not both')

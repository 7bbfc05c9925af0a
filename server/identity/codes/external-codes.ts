/**
 * Codes that a third party creates, sends and compares. They use the same quotas as our own codes, consumed before the
 * third party is called. Only this server knows which browser requested a code, so guesses of other browsers are not
 * forwarded.
 *
 *     to send:   reserve: orderExternalCode  ask: send, or refundOrder      decide: storeVerification
 *     to guess:  reserve: lockVerification   ask: check, if there is one    decide: consumeVerification, rememberBrowser
 */
import { countForApp } from '../../kernel/app-counts.ts'
import { refund, tooManyRequests } from '../../kernel/attempts/attempts.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { nowSeconds, type Trx } from '../../kernel/ports.ts'
import { afterCommit } from '../../kernel/telemetry/after-commit.ts'
import type { CodeKey } from './code-key.ts'
import { type Caller, consumeGuess, consumeSend, consumeStrayGuess } from './quotas.ts'
import * as store from './store.ts'

export type ExternalCodeOrder = { taken: readonly string[] }

/** Charges a send. Each message costs money, so networks that send to many recipients are limited as well. */
export async function orderExternalCode(
  trx: Trx,
  context: ServerContext,
  key: CodeKey,
  caller: Caller,
  isSent = true,
): Promise<ExternalCodeOrder> {
  if (!isSent) return { taken: [] }
  const now = nowSeconds(context.clock)
  const allowance = await consumeSend(trx, 'paid-send', key, caller, now)
  if (!allowance.allowed) throw tooManyRequests(allowance.retryAfterSeconds)
  return { taken: allowance.taken }
}

/** Stores the third party's id of a sent code for this browser. */
export async function storeVerification(
  trx: Trx,
  context: ServerContext,
  key: CodeKey,
  verification: string,
): Promise<void> {
  const now = nowSeconds(context.clock)
  await store.putCode(trx, key, {
    code_hash: verification,
    expires_at: now + key.purpose.seconds,
    sent_at: now,
  })
}

/** A charged guess. Without a verification it can not be right, and the third party is not called. */
export type ChargedGuess = { verification: string | undefined; taken: readonly string[] }

export async function lockVerification(
  trx: Trx,
  context: ServerContext,
  key: CodeKey,
  caller: Caller,
): Promise<ChargedGuess> {
  const now = nowSeconds(context.clock)
  const verification = await store.lockCode(trx, key, now)
  const allowance =
    verification === undefined
      ? await consumeStrayGuess(trx, caller, now)
      : await consumeGuess(trx, 'wrong', key, caller, now)
  if (!allowance.allowed) throw tooManyRequests(allowance.retryAfterSeconds)
  return { verification, taken: allowance.taken }
}

/** Refunds a right guess and removes the outstanding code. */
export async function consumeVerification(
  trx: Trx,
  key: CodeKey,
  { verification, taken }: ChargedGuess,
): Promise<void> {
  if (verification !== undefined) await store.removeCode(trx, key, verification)
  await refund(trx, taken)
  afterCommit(trx, () => countForApp(key.appId, 'codes_right', key.purpose.channel))
}

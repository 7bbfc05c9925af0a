/**
 * Codes that somebody else makes, sends and compares. Their budgets are those of our own codes, and are taken before
 * they are asked; which browser a code was sent for is known here alone, so another browser's guess is not passed on.
 *
 *     to send:   reserve: orderElsewhere    ask: send, or giveBackOrder     decide: keepVerification
 *     to guess:  reserve: holdVerification  ask: check, where there is one  decide: useUpVerification, rememberBrowser
 */
import { refund, tooManyRequests } from '../../kernel/attempts/attempts.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { nowSeconds, type Trx } from '../../kernel/ports.ts'
import { type Caller, takeGuess, takeSend, takeStrayGuess } from './budgets.ts'
import type { CodeKey } from './code-key.ts'
import * as store from './store.ts'

export type OrderElsewhere = { taken: readonly string[] }

/** Each that is sent costs money: a network that has codes sent to many people is held up, however seldom each of them is. */
export async function orderElsewhere(
  trx: Trx,
  context: ServerContext,
  key: CodeKey,
  caller: Caller,
  isSent = true,
): Promise<OrderElsewhere> {
  if (!isSent) return { taken: [] }
  const now = nowSeconds(context.clock)
  const allowance = await takeSend(trx, 'paid-send', key, caller, now)
  if (!allowance.allowed) throw tooManyRequests(allowance.retryAfterSeconds)
  return { taken: allowance.taken }
}

/** A code is on its way to this browser; the id is that under which its sender knows it. */
export async function keepVerification(
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

/** A guess that was counted. Without a verification it can not be right, and nobody is asked. */
export type CountedGuess = { verification: string | undefined; taken: readonly string[] }

export async function holdVerification(
  trx: Trx,
  context: ServerContext,
  key: CodeKey,
  caller: Caller,
): Promise<CountedGuess> {
  const now = nowSeconds(context.clock)
  const verification = await store.holdCode(trx, key, now)
  const allowance =
    verification === undefined
      ? await takeStrayGuess(trx, caller, now)
      : await takeGuess(trx, 'wrong', key, caller, now)
  if (!allowance.allowed) throw tooManyRequests(allowance.retryAfterSeconds)
  return { verification, taken: allowance.taken }
}

/** The guess was right: it costs nothing, and the code is no longer outstanding. */
export async function useUpVerification(
  trx: Trx,
  key: CodeKey,
  { verification, taken }: CountedGuess,
): Promise<void> {
  if (verification !== undefined) await store.removeCode(trx, key, verification)
  await refund(trx, taken)
}

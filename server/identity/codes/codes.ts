/**
 * One-time codes: creates and verifies them, and limits sends and guesses. A capability defines the purpose
 * (`CodePurpose`) and sends the codes.
 *
 *     reserve: orderCode    ask: send deriveCode(order), or refundOrder    decide: consumeCode, then rememberBrowser
 *
 * Codes that a third party creates are in `external-codes.ts`.
 */
import { invalidVerificationCode, LatchkeyError, product } from '@latchkey/protocol'
import { countForApp } from '../../kernel/app-counts.ts'
import { refund, tooManyRequests } from '../../kernel/attempts/attempts.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { getPepperName } from '../../kernel/keys/keys.ts'
import { nowSeconds, type Trx } from '../../kernel/ports.ts'
import { afterCommit } from '../../kernel/telemetry/after-commit.ts'
import { counter } from '../../kernel/telemetry/instruments.ts'
import type { CodeKey, CodePurpose } from './code-key.ts'
import * as digits from './digits.ts'
import { type Caller, consumeGuess, consumeSend, consumeStrayGuess } from './quotas.ts'
import * as store from './store.ts'

export { type CodeKey, type CodePurpose, hashBinding } from './code-key.ts'
export * from './external-codes.ts'
export type { Caller } from './quotas.ts'

/** A code to be sent. It contains no secret, and always results in the same code. */
export type CodeOrder = {
  seed: string
  orderedAt: number
  /** The charges of the send. */
  taken: readonly string[]
  /** Set for a fixed code of a test account, which is not sent. */
  isFixed?: true
}

/**
 * Reserves a code to be sent. Each send is charged, even if it repeats an interrupted one. A repeated order keeps its
 * code and expiry. Fixed codes are not sent and not charged.
 */
export async function orderCode(
  trx: Trx,
  context: ServerContext,
  key: CodeKey,
  caller: Caller,
  previous: CodeOrder | undefined,
  fixedCode?: string,
): Promise<CodeOrder> {
  const now = nowSeconds(context.clock)
  const isFixed = fixedCode !== undefined
  const allowance = isFixed
    ? nothingToSend
    : await consumeSend(trx, key.purpose.isPaid ? 'paid-send' : 'send', key, caller, now)
  if (!allowance.allowed) throw tooManyRequests(allowance.retryAfterSeconds)
  const { seed, orderedAt } = previous ?? { seed: digits.newSeed(context), orderedAt: now }
  await store.putCode(trx, key, {
    code_hash: digits.hashCode(
      context,
      key,
      fixedCode ?? digits.deriveCode(context, key.purpose, seed),
      getPepperName(seed),
    ),
    expires_at: orderedAt + key.purpose.seconds,
    sent_at: orderedAt,
  })
  return { seed, orderedAt, taken: allowance.taken, ...(isFixed && { isFixed }) }
}

const nothingToSend = { allowed: true, taken: [] } as const

export const deriveCode = (context: ServerContext, { purpose }: CodeKey, order: CodeOrder): string =>
  digits.deriveCode(context, purpose, order.seed)

/** Refunds the send quota if the provider did not accept the message. */
export const refundOrder = ({ db }: ServerContext, { taken }: Pick<CodeOrder, 'taken'>): Promise<void> =>
  refund(db, taken)

export type Guess = Caller & { code: string }

/**
 * Verifies and consumes a code. Returns whether it was correct.
 *
 * Each guess needs available quota; otherwise the transaction is rolled back, including the consumption. A right guess
 * consumes no quota. Only a browser with an outstanding code can win, so only its guesses are charged to the
 * identifier; others are charged to their network. The first statement locks the code's row, so concurrent guesses are
 * serialized and a code is accepted once.
 */
export async function consumeCode(
  trx: Trx,
  context: ServerContext,
  key: CodeKey,
  { code, ...caller }: Guess,
): Promise<boolean> {
  const now = nowSeconds(context.clock)
  const result = await consumeIfRight(trx, context, key, code, now)
  afterCommit(trx, () => {
    countCheck(key.purpose, result)
    if (result === 'right') countForApp(key.appId, 'codes_right', key.purpose.channel)
  })
  const allowance =
    result === 'none'
      ? await consumeStrayGuess(trx, caller, now)
      : await consumeGuess(trx, result, key, caller, now)
  if (!allowance.allowed) throw tooManyRequests(allowance.retryAfterSeconds)
  return result === 'right'
}

/**
 * Compares the code. The stored hash names its pepper, which is almost always the current one, so that is tried first.
 */
async function consumeIfRight(
  trx: Trx,
  context: ServerContext,
  key: CodeKey,
  code: string,
  now: number,
): Promise<'right' | 'wrong' | 'none'> {
  const inUse = context.keyring.pepperInUse()
  const hashUnder = (pepper: string) => digits.hashCode(context, key, code, pepper)
  const result = await store.consumeCode(trx, key, hashUnder(inUse), now)
  if (result.type !== 'wrong') return result.type
  const pepper = getPepperName(result.storedHash)
  return pepper === inUse ? 'wrong' : (await store.consumeCode(trx, key, hashUnder(pepper), now)).type
}

/** Marks the browser as known, which gives it its own quotas. */
export async function rememberBrowser(trx: Trx, context: ServerContext, key: CodeKey): Promise<void> {
  if (key.binding !== '') await store.putKnownBrowser(trx, key, nowSeconds(context.clock))
}

/** The same error for wrong, expired and used codes and for those of other browsers. */
export const wrongCode = () => new LatchkeyError('invalid_credentials', invalidVerificationCode)

/**
 * Counts sent and returned codes. Neither a mail server nor Twilio Verify reports delivery, so `accepted` means that
 * the provider accepted the code. Delivery is known only when a code is entered.
 */
const sent = counter({
  name: `${product.key}.codes.sent`,
  unit: '{code}',
  description: 'Codes passed to a provider, by whether it `accepted` them',
  attributes: ['purpose', 'channel', 'outcome'],
})
const checked = counter({
  name: `${product.key}.codes.checked`,
  unit: '{code}',
  description: 'Entered codes: `right` ones were delivered, `none` had no outstanding code in that browser',
  attributes: ['purpose', 'channel', 'outcome'],
})

export type SendingOutcome = 'accepted' | 'region' | 'number' | 'unsubscribed' | 'too_many' | 'failed'
export type CheckOutcome = 'right' | 'wrong' | 'none' | 'failed'

export function countSending(
  { appId, purpose: { name, channel } }: Pick<CodeKey, 'appId' | 'purpose'>,
  outcome: SendingOutcome,
): void {
  sent.add({ purpose: name, channel, outcome })
  if (outcome === 'accepted') countForApp(appId, 'codes_sent', channel)
}
export const countCheck = ({ name, channel }: CodePurpose, outcome: CheckOutcome): void =>
  checked.add({ purpose: name, channel, outcome })

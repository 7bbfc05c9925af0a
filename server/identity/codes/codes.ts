/**
 * Codes that are sent and come back: what is drawn, who may guess and send how often, and what a code that comes
 * back is worth. A capability says what its codes are for (`CodePurpose`), where they go, and sends them.
 *
 *     reserve: orderCode    ask: send codeOf(order), or giveBackOrder    decide: takeCode, then rememberBrowser
 *
 * Codes that somebody else makes are in `elsewhere.ts`.
 */
import { invalidVerificationCode, LatchkeyError, product } from '@latchkey/protocol'
import { refund, tooManyRequests } from '../../kernel/attempts/attempts.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { getPepperName } from '../../kernel/keys/keys.ts'
import { nowSeconds, type Trx } from '../../kernel/ports.ts'
import { afterCommit } from '../../kernel/telemetry/after-commit.ts'
import { counter } from '../../kernel/telemetry/instruments.ts'
import { type Caller, takeGuess, takeSend, takeStrayGuess } from './budgets.ts'
import type { CodeKey, CodePurpose } from './code-key.ts'
import * as digits from './digits.ts'
import * as store from './store.ts'

export type { Caller } from './budgets.ts'
export { bindingHash, type CodeKey, type CodePurpose } from './code-key.ts'
export * from './elsewhere.ts'

/** A code that is to be sent: no secret, and the same code whenever it is sent. */
export type CodeOrder = {
  seed: string
  orderedAt: number
  /** What it cost whoever gets it, and whoever asked. */
  taken: readonly string[]
  /** Its code is known already, and is sent to nobody. */
  isFixed?: true
}

/**
 * Each sending is counted, also when one that was cut off is done again; the code of an order that was there before
 * stays the same, and so does its end. A fixed code is sent to nobody, so it is not counted.
 */
export async function orderCode(
  trx: Trx,
  context: ServerContext,
  key: CodeKey,
  caller: Caller,
  before: CodeOrder | undefined,
  fixedCode?: string,
): Promise<CodeOrder> {
  const now = nowSeconds(context.clock)
  const isFixed = fixedCode !== undefined
  const allowance = isFixed
    ? nothingToSend
    : await takeSend(trx, key.purpose.isPaid ? 'paid-send' : 'send', key, caller, now)
  if (!allowance.allowed) throw tooManyRequests(allowance.retryAfterSeconds)
  const { seed, orderedAt } = before ?? { seed: digits.newSeed(context), orderedAt: now }
  await store.putCode(trx, key, {
    code_hash: digits.hashOfCode(
      context,
      key,
      fixedCode ?? digits.codeOf(context, key.purpose, seed),
      getPepperName(seed),
    ),
    expires_at: orderedAt + key.purpose.seconds,
    sent_at: orderedAt,
  })
  return { seed, orderedAt, taken: allowance.taken, ...(isFixed && { isFixed }) }
}

const nothingToSend = { allowed: true, taken: [] } as const

export const codeOf = (context: ServerContext, { purpose }: CodeKey, order: CodeOrder): string =>
  digits.codeOf(context, purpose, order.seed)

/** The code was not taken by whoever sends it: that counts against nobody. */
export const giveBackOrder = ({ db }: ServerContext, { taken }: Pick<CodeOrder, 'taken'>): Promise<void> =>
  refund(db, taken)

export type Guess = Caller & { code: string }

/**
 * True for the right code, which is used up by this.
 *
 * Each guess needs room in a budget, or all of this is undone, the use of the code too; the right one takes none of
 * it. Only a browser with an outstanding code can win, so only its guesses cost the identifier; others cost their
 * network a little. The row of the code is held from the first statement on, so which of the two it is can not change before
 * it is counted, and of several who bring the right code one gets in.
 */
export async function takeCode(
  trx: Trx,
  context: ServerContext,
  key: CodeKey,
  { code, ...caller }: Guess,
): Promise<boolean> {
  const now = nowSeconds(context.clock)
  const taken = await takeIfRight(trx, context, key, code, now)
  afterCommit(trx, () => countCheck(key.purpose, taken))
  const allowance =
    taken === 'none' ? await takeStrayGuess(trx, caller, now) : await takeGuess(trx, taken, key, caller, now)
  if (!allowance.allowed) throw tooManyRequests(allowance.retryAfterSeconds)
  return taken === 'right'
}

/** What is kept says which pepper it was made with: as good as always the one in use, so that is tried first. */
async function takeIfRight(
  trx: Trx,
  context: ServerContext,
  key: CodeKey,
  code: string,
  now: number,
): Promise<'right' | 'wrong' | 'none'> {
  const inUse = context.keyring.pepperInUse()
  const hashUnder = (pepper: string) => digits.hashOfCode(context, key, code, pepper)
  const taken = await store.takeCode(trx, key, hashUnder(inUse), now)
  if (taken.type !== 'wrong') return taken.type
  const pepper = getPepperName(taken.kept)
  return pepper === inUse ? 'wrong' : (await store.takeCode(trx, key, hashUnder(pepper), now)).type
}

/** A known browser has a budget of its own for guesses and sendings. */
export async function rememberBrowser(trx: Trx, context: ServerContext, key: CodeKey): Promise<void> {
  if (key.binding !== '') await store.putKnownBrowser(trx, key, nowSeconds(context.clock))
}

/** Wrong, expired, used, or of another browser: whoever guesses learns none of it. */
export const wrongCode = () => new LatchkeyError('invalid_credentials', invalidVerificationCode)

/**
 * Codes that were sent, and what came back. Neither a mail server nor Twilio Verify tells whether a code arrived, so
 * `accepted` says that they took it; that one arrived is known when it comes back.
 */
const sent = counter({
  name: `${product.key}.codes.sent`,
  unit: '{code}',
  description: 'Codes that were given to whoever sends them, and whether they were `accepted`',
  attributes: ['purpose', 'channel', 'outcome'],
})
const checked = counter({
  name: `${product.key}.codes.checked`,
  unit: '{code}',
  description: 'Codes that were typed: `right` ones have arrived, and `none` was outstanding in that browser',
  attributes: ['purpose', 'channel', 'outcome'],
})

type Counted = Pick<CodePurpose, 'name' | 'channel'>
export type SendingOutcome = 'accepted' | 'region' | 'number' | 'unsubscribed' | 'too_many' | 'failed'
export type CheckOutcome = 'right' | 'wrong' | 'none' | 'failed'

export const countSending = ({ name, channel }: Counted, outcome: SendingOutcome): void =>
  sent.add({ purpose: name, channel, outcome })
export const countCheck = ({ name, channel }: Counted, outcome: CheckOutcome): void =>
  checked.add({ purpose: name, channel, outcome })

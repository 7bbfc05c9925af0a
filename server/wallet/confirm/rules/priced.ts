/** What a request is worth in cents, by the prices that are known now. */
import type { SignableRequest } from '@latchkey/protocol/wallet'
import { type Prices, prices } from '../../../integrations/prices/prices.ts'
import type { ServerContext } from '../../../kernel/context.ts'
import type { App } from '../../../kernel/ports.ts'
import { chainNamed } from '../reading/names.ts'
import type { Reading } from '../reading/reading.ts'
import { type Amount, isWorthless, judge } from './rules.ts'
import { centsOf } from './worth.ts'

/** What it costs has a part more on some chains. Where nobody is told that part, it counts without it. */
export async function withWholeFee(context: ServerContext, app: App, reading: Reading): Promise<Reading> {
  if (reading.kind !== 'transaction' || isWorthless(reading, app)) return reading
  const { l1FeeOf } = await import('./l1-fee.ts')
  const fee = await l1FeeOf(context, app, reading)
  return typeof fee === 'bigint' ? { ...reading, mostFee: reading.mostFee + fee } : reading
}

type Cents = {
  /** Null where one of them is not known. */
  cents: number | null
  /** What nobody has priced may be no token at all, whatever the limits are. */
  isKnown: boolean
}

/** Nobody's prices are asked for what moves nothing. */
export async function centsOfAmounts(
  { ports }: Pick<ServerContext, 'ports'>,
  app: App,
  worth: readonly Amount[],
): Promise<Cents> {
  const each = await Promise.all(worth.map((amount) => centsOfOne(prices.get(ports), app, amount)))
  return {
    cents: sumOf(each),
    isKnown: worth.every(({ token }, at) => token === undefined || each[at] !== undefined),
  }
}

/**
 * What a transaction moves and costs at most; null where that can not be told: it has no price, or does what may move
 * more than it says. On a test network it is nothing. The calls that an operator listed are for the pages of the app
 * itself, so here they are calls like others.
 */
export async function centsToSend(
  context: ServerContext,
  app: App,
  request: SignableRequest,
  address: string,
): Promise<number | null> {
  const { readRequest } = await import('../reading/read-request.ts')
  const reading = await withWholeFee(context, app, readRequest(request, address))
  if (reading.kind === 'transaction' && isWorthless(reading, app)) return 0
  const judged = judge(reading, { ...app, approvals: { ...app.approvals, cardCalls: [] } })
  if (judged.type === 'settled') return null
  const { cents, isKnown } = await centsOfAmounts(context, app, judged.worth)
  return isKnown ? cents : null
}

/** Null where one of them is not known. */
const sumOf = (cents: readonly (number | undefined)[]): number | null =>
  cents.reduce<number | null>((sum, one) => (sum === null || one === undefined ? null : sum + one), 0)

async function centsOfOne(from: Prices, app: App, amount: Amount): Promise<number | undefined> {
  const price = await priceOf(from, app, amount)
  return price && centsOf(amount.amount, price)
}

/** The decimals of the coin of a chain that is in no table. */
const COIN_DECIMALS = 18

async function priceOf(from: Prices, app: App, { chainId, token }: Amount) {
  if (token !== undefined) return from.getTokenPrice(chainId, token)
  const usd = await from.getNativePrice(chainId)
  if (usd === undefined) return undefined
  return { usd, decimals: (await chainNamed(app, chainId))?.decimals ?? COIN_DECIMALS }
}

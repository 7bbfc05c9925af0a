/** Converts the value of a request to cents at current prices. */
import type { SignableRequest } from '@latchkey/protocol/wallet'
import { type Prices, prices, solanaChain } from '../../../integrations/prices/prices.ts'
import type { ServerContext } from '../../../kernel/context.ts'
import type { App } from '../../../kernel/ports.ts'
import { findChain } from '../reading/names.ts'
import type { Reading } from '../reading/reading.ts'
import { toCents } from './cents.ts'
import { type Amount, evaluate, isTestNetwork } from './rules.ts'

/** Adds the L1 data fee of OP Stack chains. Returns the reading unchanged if that fee is unknown. */
export async function addL1Fee(context: ServerContext, app: App, reading: Reading): Promise<Reading> {
  if (reading.kind !== 'transaction' || isTestNetwork(reading, app)) return reading
  const { getL1Fee } = await import('./l1-fee.ts')
  const fee = await getL1Fee(context, app, reading)
  return typeof fee === 'bigint' ? { ...reading, mostFee: reading.mostFee + fee } : reading
}

type TotalCents = {
  /** Null if one of the prices is unknown. */
  cents: number | null
  /** False for an unpriced token, which may be no token at all. */
  isKnown: boolean
}

/** Sums amounts in cents. An empty list loads no prices. */
export async function getTotalCents(
  { ports }: Pick<ServerContext, 'ports'>,
  app: App,
  worth: readonly Amount[],
): Promise<TotalCents> {
  const each = await Promise.all(worth.map((amount) => getCents(prices.get(ports), app, amount)))
  return {
    cents: sumCents(each),
    isKnown: worth.every(({ token }, at) => token === undefined || each[at] !== undefined),
  }
}

/**
 * Returns the maximum cost of a transaction in cents, or null if it has no price or an unknown effect. Returns 0 for a
 * test network. Ignores the operator's listed calls, which apply only to the app's own pages.
 */
export async function getCentsToSend(
  context: ServerContext,
  app: App,
  request: SignableRequest,
  address: string,
): Promise<number | null> {
  const { readRequest } = await import('../reading/read-request.ts')
  const reading = await addL1Fee(context, app, readRequest(request, address))
  if (reading.kind === 'transaction' && isTestNetwork(reading, app)) return 0
  const judged = evaluate(reading, { ...app, approvals: { ...app.approvals, cardCalls: [] } })
  if (judged.type === 'settled') return null
  const { cents, isKnown } = await getTotalCents(context, app, judged.worth)
  return isKnown ? cents : null
}

/** Returns a fee in cents: 0 on a test network, and null without a price. */
export async function getFeeCents(
  context: Pick<ServerContext, 'ports'>,
  app: App,
  fee: { chainId: string; amount: bigint },
): Promise<number | null> {
  return isTestNetwork(fee, app) ? 0 : (await getTotalCents(context, app, [fee])).cents
}

/** Null if one of the prices is unknown. */
const sumCents = (cents: readonly (number | undefined)[]): number | null =>
  cents.reduce<number | null>((sum, one) => (sum === null || one === undefined ? null : sum + one), 0)

async function getCents(source: Prices, app: App, amount: Amount): Promise<number | undefined> {
  const price = await getPrice(source, app, amount)
  return price && toCents(amount.amount, price)
}

/** The default decimals of a native coin. */
const COIN_DECIMALS = 18

const SOLANA_DECIMALS = 9

async function getPrice(source: Prices, app: App, { chainId, token }: Amount) {
  if (token !== undefined) return source.getTokenPrice(chainId, token)
  const usd = await source.getNativePrice(chainId)
  if (usd === undefined) return undefined
  if (chainId === solanaChain) return { usd, decimals: SOLANA_DECIMALS }
  return { usd, decimals: (await findChain(app, chainId))?.decimals ?? COIN_DECIMALS }
}

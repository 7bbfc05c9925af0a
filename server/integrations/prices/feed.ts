/**
 * The simple price of CoinGecko, or of whoever answers as it does.
 * https://docs.coingecko.com/reference/simple-price
 */

import type { Logger } from 'pino'
import * as v from 'valibot'
import { askOutside } from '../../kernel/outside.ts'
import { type Clock, nowSeconds } from '../../kernel/ports.ts'
import { type Coins, type Tokens, tokenKey } from './coins.ts'
import type { Prices } from './prices.ts'

const priceLimits = {
  deadlineMs: 3_000,
  /** The age of a price by the feed's own time. */
  oldestSeconds: 600,
  cachedMs: 60_000,
  /** A feed that gave no price is not asked by everybody who comes next. */
  failureKeptMs: 5_000,
} as const

export type Feed = { url: string; key?: string | undefined }
export type PriceSources = {
  feed: Feed | undefined
  coins: Coins
  tokens: Tokens
}

/** A price of nothing would let everything through: it is none. */
const answerSchema = v.record(
  v.string(),
  v.object({ usd: v.pipe(v.number(), v.finite(), v.gtValue(0)), last_updated_at: v.number() }),
)
type Price = { usd: number; atSeconds: number }
type Asked = { price: Promise<Price | undefined>; atMs: number; keptMs: number }

export function createPrices({ feed, coins, tokens }: PriceSources, clock: Clock, log: Logger): Prices {
  const asked = new Map<string, Asked>()

  /** Everybody who wants to know at once is told by one answer; a failure is kept for a moment. */
  function ask(id: string, from: Feed): Promise<Price | undefined> {
    const before = asked.get(id)
    if (before && Math.abs(clock.nowMs() - before.atMs) < before.keptMs) return before.price
    const price: Promise<Price | undefined> = askFeed(from, id).catch((error: unknown) => {
      asked.set(id, { price, atMs: clock.nowMs(), keptMs: priceLimits.failureKeptMs })
      log.warn({ coin: id, reason: String(error) }, 'the price feed gave no price')
      return undefined
    })
    asked.set(id, { price, atMs: clock.nowMs(), keptMs: priceLimits.cachedMs })
    return price
  }

  async function freshOf(id: string): Promise<number | undefined> {
    const price = feed && (await ask(id, feed))
    const isFresh =
      price !== undefined && Math.abs(nowSeconds(clock) - price.atSeconds) <= priceLimits.oldestSeconds
    return isFresh ? price.usd : undefined
  }

  return {
    symbolOf: (chainId) => coins.get(chainId)?.symbol,
    tokenAt(chainId, contract) {
      const token = tokens.get(tokenKey(chainId, contract))
      return token && { symbol: token.symbol, decimals: token.decimals }
    },
    async ofChain(chainId) {
      const coin = coins.get(chainId)
      return coin && (await freshOf(coin.id))
    },
    async ofToken(chainId, contract) {
      const token = tokens.get(tokenKey(chainId, contract))
      const usd = token && (await freshOf(token.id))
      return token && usd !== undefined ? { usd, decimals: token.decimals } : undefined
    },
  }
}

async function askFeed({ url, key }: Feed, id: string): Promise<Price | undefined> {
  const query = new URLSearchParams({ ids: id, vs_currencies: 'usd', include_last_updated_at: 'true' })
  const response = await askOutside(`${url}/simple/price?${query}`, {
    party: 'price feed',
    headers: { accept: 'application/json', ...(key !== undefined && { [headerOf(url)]: key }) },
    deadlineMs: priceLimits.deadlineMs,
  })
  if (!response.ok) throw new Error(`status ${response.status}`)
  const price = v.parse(answerSchema, await response.json())[id]
  if (price === undefined) throw new Error('the coin is not in the answer')
  return { usd: price.usd, atSeconds: price.last_updated_at }
}

/** https://docs.coingecko.com/reference/authentication */
const headerOf = (url: string) =>
  new URL(url).hostname.startsWith('pro-') ? 'x-cg-pro-api-key' : 'x-cg-demo-api-key'

/**
 * Prices from CoinGecko's simple price API, or from a service with the same API.
 * https://docs.coingecko.com/reference/simple-price
 */

import type { Logger } from 'pino'
import * as v from 'valibot'
import { type Clock, nowSeconds } from '../../kernel/ports.ts'
import { fetchThirdParty } from '../../kernel/third-party-fetch.ts'
import { type Coins, type Tokens, tokenKey } from './coins.ts'
import type { Prices } from './prices.ts'

const priceLimits = {
  deadlineMs: 3_000,
  /** The maximum age of a price by the feed's own timestamp. */
  maxAgeSeconds: 600,
  ttlMs: 60_000,
  /** Failures are cached briefly, so that an outage does not cause a request per call. */
  failureTtlMs: 5_000,
} as const

export type Feed = { url: string; key?: string | undefined }
export type PriceSources = {
  feed: Feed | undefined
  coins: Coins
  tokens: Tokens
}

/** Rejects a price of zero: it would make every amount worth nothing and pass every limit. */
const answerSchema = v.record(
  v.string(),
  v.object({ usd: v.pipe(v.number(), v.finite(), v.gtValue(0)), last_updated_at: v.number() }),
)
type Price = { usd: number; atSeconds: number }
type CachedPrice = { price: Promise<Price | undefined>; atMs: number; ttlMs: number }

export function createPrices({ feed, coins, tokens }: PriceSources, clock: Clock, log: Logger): Prices {
  const cache = new Map<string, CachedPrice>()

  /** Requests a price from the feed. Concurrent callers share one request, and failures are cached briefly. */
  function getPrice(id: string, from: Feed): Promise<Price | undefined> {
    const cached = cache.get(id)
    if (cached && Math.abs(clock.nowMs() - cached.atMs) < cached.ttlMs) return cached.price
    const price: Promise<Price | undefined> = fetchPrice(from, id).catch((error: unknown) => {
      cache.set(id, { price, atMs: clock.nowMs(), ttlMs: priceLimits.failureTtlMs })
      log.warn({ coin: id, reason: String(error) }, 'the price feed gave no price')
      return undefined
    })
    cache.set(id, { price, atMs: clock.nowMs(), ttlMs: priceLimits.ttlMs })
    return price
  }

  async function getFreshPrice(id: string): Promise<number | undefined> {
    const price = feed && (await getPrice(id, feed))
    const isFresh =
      price !== undefined && Math.abs(nowSeconds(clock) - price.atSeconds) <= priceLimits.maxAgeSeconds
    return isFresh ? price.usd : undefined
  }

  return {
    getNativeSymbol: (chainId) => coins.get(chainId)?.symbol,
    findToken(chainId, contract) {
      const token = tokens.get(tokenKey(chainId, contract))
      return token && { symbol: token.symbol, decimals: token.decimals }
    },
    async getNativePrice(chainId) {
      const coin = coins.get(chainId)
      return coin && (await getFreshPrice(coin.id))
    },
    async getTokenPrice(chainId, contract) {
      const token = tokens.get(tokenKey(chainId, contract))
      const usd = token && (await getFreshPrice(token.id))
      return token && usd !== undefined ? { usd, decimals: token.decimals } : undefined
    },
  }
}

async function fetchPrice({ url, key }: Feed, id: string): Promise<Price | undefined> {
  const query = new URLSearchParams({ ids: id, vs_currencies: 'usd', include_last_updated_at: 'true' })
  const response = await fetchThirdParty(`${url}/simple/price?${query}`, {
    party: 'price feed',
    headers: { accept: 'application/json', ...(key !== undefined && { [getKeyHeader(url)]: key }) },
    deadlineMs: priceLimits.deadlineMs,
  })
  if (!response.ok) throw new Error(`status ${response.status}`)
  const price = v.parse(answerSchema, await response.json())[id]
  if (price === undefined) throw new Error('the coin is not in the answer')
  return { usd: price.usd, atSeconds: price.last_updated_at }
}

/** https://docs.coingecko.com/reference/authentication */
const getKeyHeader = (url: string) =>
  new URL(url).hostname.startsWith('pro-') ? 'x-cg-pro-api-key' : 'x-cg-demo-api-key'

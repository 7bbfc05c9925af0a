/**
 * CoinGecko's `simple/price`: coin prices by id. Unknown ids are omitted from the response.
 * https://docs.coingecko.com/reference/simple-price
 */
import type { FaultSwitch } from '../faults.ts'
import { type Route, readJson, sendJson } from '../http.ts'

export type Coins = {
  all: () => Readonly<Record<string, number>>
  /** Changes only the given coins. */
  set: (changed: Readonly<Record<string, number>>) => void
}

export const createCoins = (): Coins => {
  let usd: Readonly<Record<string, number>> = {
    ethereum: 2_500,
    'polygon-ecosystem-token': 0.5,
    binancecoin: 600,
    'avalanche-2': 30,
    xdai: 1,
    solana: 150,
  }
  return {
    all: () => usd,
    set: (changed) => {
      usd = { ...usd, ...changed }
    },
  }
}

const isPrices = (value: unknown): value is Readonly<Record<string, number>> =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((price) => typeof price === 'number' && price >= 0)

const HOUR_SECONDS = 3_600

export const priceFeedRoutes = (coins: Coins, faults: FaultSwitch, nowMs: () => number): readonly Route[] => [
  {
    method: 'GET',
    path: /^\/price-feed\/simple\/price$/,
    handle: async ({ response, url }) => {
      const fault = await faults.afterStall('priceFeed')
      if (fault === 'failing') return sendJson(response, { error: 'Sorry' }, 500)
      if (fault === 'garbage') return sendJson(response, { ethereum: { usd: 'a lot' } })
      if (fault === 'too-many-requests') {
        return sendJson(response, { status: { error_code: 429, error_message: 'Too many' } }, 429)
      }
      const ids = url.searchParams.get('ids')?.split(',') ?? []
      const inDollars = url.searchParams.get('vs_currencies') === 'usd'
      const withTime = url.searchParams.get('include_last_updated_at') === 'true'
      const updatedAt = Math.floor(nowMs() / 1_000) - (fault === 'stale' ? HOUR_SECONDS : 0)
      const knownIds = inDollars ? ids.filter((id) => Object.hasOwn(coins.all(), id)) : []
      const getPrice = (id: string) => ({
        usd: coins.all()[id],
        ...(withTime && { last_updated_at: updatedAt }),
      })
      sendJson(response, Object.fromEntries(knownIds.map((id) => [id, getPrice(id)])))
    },
  },
  {
    method: 'GET',
    path: /^\/api\/prices$/,
    handle: ({ response }) => sendJson(response, coins.all()),
  },
  {
    method: 'POST',
    path: /^\/api\/prices$/,
    handle: async ({ request, response }) => {
      const changed = await readJson(request)
      if (!isPrices(changed)) return sendJson(response, { error: 'Send { <id of a coin>: <dollars> }' }, 400)
      coins.set(changed)
      sendJson(response, coins.all())
    },
  },
]

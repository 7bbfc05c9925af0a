import { LatchkeyError } from '@latchkey/protocol'
import { priceRoutes } from '@latchkey/protocol/api'
import { type Capability, port } from '../../kernel/capability.ts'
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts'
import { knownCoins, knownTokens } from './coins.ts'
import { priceEnvironment } from './environment.ts'
import { createPrices } from './feed.ts'
import { prices as key } from './prices.ts'

const priceEndpoints: readonly Endpoint[] = [
  endpoint(priceRoutes.tokenPrice, async ({ query: { chainId, tokenSymbol } }, { ports }) => {
    const chainPrices = key.get(ports)
    const isItsCoin = chainPrices.getNativeSymbol(chainId) === tokenSymbol.toUpperCase()
    const usd = isItsCoin ? await chainPrices.getNativePrice(chainId) : undefined
    if (usd !== undefined) return { usd }
    throw new LatchkeyError('not_found', `Unable to fetch token price on chain id ${chainId}`)
  }),
]

export const prices: Capability = {
  name: 'prices',
  endpoints: priceEndpoints,
  environment: priceEnvironment,
  thirdParties: (config) => {
    const { PRICE_FEED_URL: url } = priceEnvironment.read(config)
    return url === undefined ? [] : [{ variable: 'PRICE_FEED_URL', url }]
  },
  ports: [
    port(key, ({ config, clock, log }) => {
      const {
        PRICE_FEED_URL: url,
        PRICE_FEED_KEY: apiKey,
        PRICE_FEED_COINS: otherCoins,
        PRICE_FEED_TOKENS: otherTokens,
      } = priceEnvironment.read(config)
      const feed = url === undefined ? undefined : { url, key: apiKey }
      const coins = new Map([...knownCoins, ...otherCoins])
      const tokens = new Map([...knownTokens, ...otherTokens])
      return { value: createPrices({ feed, coins, tokens }, clock, log) }
    }),
  ],
}

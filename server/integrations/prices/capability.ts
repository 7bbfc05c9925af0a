import { type Capability, port } from '../../kernel/capability.ts'
import { knownCoins, knownTokens } from './coins.ts'
import { priceEnvironment } from './environment.ts'
import { createPrices } from './feed.ts'
import { prices as key } from './prices.ts'
import { priceEndpoints } from './routes.ts'

export const prices: Capability = {
  name: 'prices',
  endpoints: priceEndpoints,
  environment: priceEnvironment,
  ports: [
    port(key, ({ config, clock, log }) => {
      const {
        PRICE_FEED_URL: url,
        PRICE_FEED_KEY: apiKey,
        PRICE_FEED_COINS: otherCoins,
        PRICE_FEED_TOKENS: otherTokens,
      } = priceEnvironment.of(config)
      const feed = url === undefined ? undefined : { url, key: apiKey }
      const coins = new Map([...knownCoins, ...otherCoins])
      const tokens = new Map([...knownTokens, ...otherTokens])
      return { value: createPrices({ feed, coins, tokens }, clock, log) }
    }),
  ],
}

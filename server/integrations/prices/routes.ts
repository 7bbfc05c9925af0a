import { LatchkeyError } from '@latchkey/protocol'
import { priceRoutes } from '@latchkey/protocol/api'
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts'
import { prices } from './prices.ts'

export const priceEndpoints: readonly Endpoint[] = [
  endpoint(priceRoutes.tokenPrice, async ({ query: { chainId, tokenSymbol } }, { ports }) => {
    const known = prices.on(ports)
    const isItsCoin = known.symbolOf(chainId) === tokenSymbol.toUpperCase()
    const usd = isItsCoin ? await known.ofChain(chainId) : undefined
    if (usd !== undefined) return { usd }
    throw new LatchkeyError('not_found', `Unable to fetch token price on chain id ${chainId}`)
  }),
]

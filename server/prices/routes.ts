import { LatchkeyError } from '@latchkey/protocol'
import { confirmRoutes } from '@latchkey/protocol/api'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { coinOf, prices } from './prices.ts'

export const priceEndpoints: readonly Endpoint[] = [
  endpoint(confirmRoutes.tokenPrice, async ({ query: { chainId, tokenSymbol } }, { ports }) => {
    const isItsCoin = coinOf(chainId)?.symbol === tokenSymbol.toUpperCase()
    const usd = isItsCoin ? await prices.on(ports).ofChain(chainId) : undefined
    if (usd !== undefined) return { usd }
    throw new LatchkeyError('not_found', `Unable to fetch token price on chain id ${chainId}`)
  }),
]

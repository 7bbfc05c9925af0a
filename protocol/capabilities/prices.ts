import * as v from 'valibot'
import { text } from '../entities/primitives.ts'
import { keepsName } from '../names/naming.ts'
import type { Routes, RoutesDoc } from '../rows/route.ts'

const chainId = v.pipe(v.string(), v.regex(/^[1-9][0-9]{0,14}$/))

export const priceRoutes = {
  tokenPrice: {
    method: 'GET',
    path: '/token_price',
    auth: 'identity',
    forks: true,
    effect: 'reads',
    appHeader: true,
    /** The specification names these fields in camelCase on the wire. */
    query: v.object({
      chainId: v.pipe(chainId, keepsName<string>()),
      tokenSymbol: v.pipe(text, keepsName<string>()),
    }),
    output: v.object({ usd: v.number() }),
  },
} as const satisfies Routes

export const priceDoc: RoutesDoc<typeof priceRoutes> = {
  tokenPrice: {
    summary:
      "Returns the price of a chain's native coin in US dollars. If the price is unknown, the message is `Unable to fetch token price on chain id {id}`.",
    errors: ['must_be_authenticated', 'not_found'],
  },
}

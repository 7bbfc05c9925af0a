import type { RoutesDoc } from '../rows/route.ts'
import type { priceRoutes } from './prices.ts'

export const priceDoc: RoutesDoc<typeof priceRoutes> = {
  tokenPrice: {
    says: 'What one coin of a chain is worth in dollars. Unknown: `Unable to fetch token price on chain id {id}`.',
    errors: ['must_be_authenticated', 'not_found'],
  },
}

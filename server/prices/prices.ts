/** What the coin of a chain is worth in dollars now, as far as anybody knows. */
import { shelfKey } from '../shelf.ts'

export type Prices = {
  /** Undefined where it has none, or where the feed is late, down or behind. */
  readonly ofChain: (chainId: string) => Promise<number | undefined>
  /** How the coin of the chain is called. */
  readonly symbolOf: (chainId: string) => string | undefined
}

export const prices = shelfKey<Prices>('the prices')

/** What the coin of a chain, or a token on it, is worth in dollars now, as far as anybody knows. */
import { registryKey } from '../../kernel/registry.ts'

export type TokenPrice = { usd: number; decimals: number }

/** A token as a list names it: the contract is not asked. */
export type NamedToken = { symbol: string | null; decimals: number }

export type Prices = {
  /** Undefined where it has none, or where the feed is late, down or behind. */
  ofChain: (chainId: string) => Promise<number | undefined>
  /** The same for a whole token, with the digits that its amounts have after the point. */
  ofToken: (chainId: string, contract: string) => Promise<TokenPrice | undefined>
  /** Undefined for a token of no list. */
  tokenAt: (chainId: string, contract: string) => NamedToken | undefined
  /** How the coin of the chain is called. */
  symbolOf: (chainId: string) => string | undefined
}

export const prices = registryKey<Prices>('the prices')

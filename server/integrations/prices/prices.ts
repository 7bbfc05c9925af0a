/** Current US dollar prices of native coins and ERC-20 tokens. */
import { registryKey } from '../../kernel/registry.ts'

export type TokenPrice = { usd: number; decimals: number }

/** A token from the configured lists. Its contract is not called. */
export type ListedToken = { symbol: string | null; decimals: number }

export type Prices = {
  /** Returns the price of a chain's native coin, or undefined if there is none or the feed fails or is outdated. */
  getNativePrice: (chainId: string) => Promise<number | undefined>
  /** Returns the price of one whole token, and the token's decimals. */
  getTokenPrice: (chainId: string, contract: string) => Promise<TokenPrice | undefined>
  /** Returns undefined for a token that is on no list. */
  findToken: (chainId: string, contract: string) => ListedToken | undefined
  /** Returns the symbol of the chain's native coin. */
  getNativeSymbol: (chainId: string) => string | undefined
}

/** The name of Solana's main network in the lists of coins and tokens. */
export const solanaChain = 'solana'

export const prices = registryKey<Prices>('the prices')

/** What a provider is asked to sell for a chain, as the specification writes coins. */
const currencies: Readonly<Record<string, string>> = {
  1: 'ETH_ETHEREUM',
  10: 'ETH_OPTIMISM',
  56: 'BNB_BNB',
  137: 'POL_POLYGON',
  8453: 'ETH_BASE',
  42161: 'ETH_ARBITRUM',
  42220: 'CELO_CELO',
  43114: 'AVAX_CCHAIN',
}

/** Undefined for a chain that nobody sells coins of. */
export const currencyOf = (chainId: number): string | undefined =>
  Object.hasOwn(currencies, String(chainId)) ? currencies[String(chainId)] : undefined

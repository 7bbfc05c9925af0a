/** The coin that a chain is paid in, and how the feed calls it. A chain that is not here has no price. */

export type Coin = { readonly symbol: string; readonly id: string }
/** By the number of the chain. */
export type Coins = ReadonlyMap<string, Coin>
const coin = (symbol: string, id: string): Coin => ({ symbol, id })

const ether = coin('ETH', 'ethereum')

/** The names are those of https://docs.coingecko.com/reference/coins-list */
export const knownCoins: Coins = new Map([
  ['1', ether],
  // OP Mainnet, Unichain, Polygon zkEVM, World Chain, ZKsync Era, Soneium, Base, Mode, Arbitrum One, Ink, Linea, Blast,
  // Scroll, Zora
  ...['10', '130', '1101', '480', '324', '1868', '8453', '34443', '42161', '57073', '59144', '81457'].map(
    (chain) => [chain, ether] as const,
  ),
  ['534352', ether],
  ['7777777', ether],
  ['25', coin('CRO', 'crypto-com-chain')],
  ['56', coin('BNB', 'binancecoin')],
  ['204', coin('BNB', 'binancecoin')],
  ['100', coin('XDAI', 'xdai')],
  ['137', coin('POL', 'polygon-ecosystem-token')],
  ['250', coin('FTM', 'fantom')],
  ['1284', coin('GLMR', 'moonbeam')],
  ['5000', coin('MNT', 'mantle')],
  ['42220', coin('CELO', 'celo')],
  ['43114', coin('AVAX', 'avalanche-2')],
])

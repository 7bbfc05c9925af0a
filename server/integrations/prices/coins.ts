/** The native coins of chains, and the tokens of Ethereum chains and Solana that have a price, with their ids in the price feed. */

import { solanaChain } from './prices.ts'

export type Coin = { symbol: string; id: string }
/** Native coins by chain id. */
export type Coins = ReadonlyMap<string, Coin>
const coin = (symbol: string, id: string): Coin => ({ symbol, id })

const ether = coin('ETH', 'ethereum')

/** Ids as in https://docs.coingecko.com/reference/coins-list */
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
  [solanaChain, coin('SOL', 'solana')],
])

/** A token with its decimals and its id in the price feed. */
export type Token = {
  decimals: number
  id: string
  /** The ticker symbol, or null if the operator configured none. */
  symbol: string | null
}
/** Tokens by chain and address: `1:0xa0b8…` in lowercase, `solana:EPjF…` as it is. */
export type Tokens = ReadonlyMap<string, Token>

export const tokenKey = (chainId: string, contract: string) =>
  `${chainId}:${contract.startsWith('0x') ? contract.toLowerCase() : contract}`

/** Checksummed addresses (ERC-55) and mints, as published by the issuers. */
export const knownTokenList: readonly (readonly [
  chainId: string,
  contract: string,
  decimals: number,
  id: string,
  symbol: string,
])[] = [
  ['1', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 6, 'usd-coin', 'USDC'],
  ['1', '0xdAC17F958D2ee523a2206206994597C13D831ec7', 6, 'tether', 'USDT'],
  ['1', '0x6B175474E89094C44Da98b954EedeAC495271d0F', 18, 'dai', 'DAI'],
  ['1', '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', 18, 'weth', 'WETH'],
  ['1', '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599', 8, 'wrapped-bitcoin', 'WBTC'],
  ['1', '0x514910771AF9Ca656af840dff83E8264EcF986CA', 18, 'chainlink', 'LINK'],
  ['1', '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984', 18, 'uniswap', 'UNI'],
  ['10', '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85', 6, 'usd-coin', 'USDC'],
  ['10', '0x94b008aA00579c1307B0EF2c499aD98a8ce58e58', 6, 'tether', 'USDT'],
  ['10', '0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1', 18, 'dai', 'DAI'],
  ['10', '0x4200000000000000000000000000000000000006', 18, 'weth', 'WETH'],
  ['56', '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d', 18, 'usd-coin', 'USDC'],
  ['56', '0x55d398326f99059fF775485246999027B3197955', 18, 'tether', 'USDT'],
  ['137', '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', 6, 'usd-coin', 'USDC'],
  ['137', '0xc2132D05D31c914a87C6611C10748AEb04B58e8F', 6, 'tether', 'USDT'],
  ['8453', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 6, 'usd-coin', 'USDC'],
  ['8453', '0x4200000000000000000000000000000000000006', 18, 'weth', 'WETH'],
  ['42161', '0xaf88d065e77c8cC2239327C5EDb3A432268e5831', 6, 'usd-coin', 'USDC'],
  ['42161', '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9', 6, 'tether', 'USDT'],
  ['42161', '0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1', 18, 'dai', 'DAI'],
  ['42161', '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1', 18, 'weth', 'WETH'],
  ['43114', '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E', 6, 'usd-coin', 'USDC'],
  ['43114', '0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7', 6, 'tether', 'USDT'],
  [solanaChain, 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 6, 'usd-coin', 'USDC'],
  [solanaChain, 'Es9vMFrzaCErmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', 6, 'tether', 'USDT'],
  [solanaChain, 'So11111111111111111111111111111111111111112', 9, 'solana', 'WSOL'],
]

export const knownTokens: Tokens = new Map(
  knownTokenList.map(([chainId, contract, decimals, id, symbol]) => [
    tokenKey(chainId, contract),
    { decimals, id, symbol },
  ]),
)

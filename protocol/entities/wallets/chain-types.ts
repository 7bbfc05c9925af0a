/** Chain types of wallets. A separate module, because every wallet account contains one. */
export const chainTypes = ['ethereum', 'solana'] as const
export type ChainType = (typeof chainTypes)[number]

/** The clusters of Solana. */
export const solanaClusters = ['mainnet', 'devnet', 'testnet'] as const
export type SolanaCluster = (typeof solanaClusters)[number]

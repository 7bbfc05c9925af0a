/** Chain types of wallets. A separate module, because every wallet account contains one. */
export const chainTypes = ['ethereum', 'solana'] as const
export type ChainType = (typeof chainTypes)[number]

/** The chains that wallets are of. Apart from what else chains have, since every account of a wallet says its own. */
export const chainTypes = ['ethereum', 'solana'] as const
export type ChainType = (typeof chainTypes)[number]
